-- Notices to the staff by webhook (decision record 099).

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('signed', 'telegram', 'discord')),
  name text NOT NULL CHECK (length(name) BETWEEN 2 AND 60),
  -- The address, or the bot token and the chat
  sealed text NOT NULL,
  kinds text[] NOT NULL CHECK (cardinality(kinds) > 0),
  paused_at timestamptz,
  pause_reason text CHECK (pause_reason IN ('owner', 'failures', 'gone')),
  -- Of the first failed attempt since the last successful one
  failing_since timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT paused_for_a_reason CHECK ((paused_at IS NULL) = (pause_reason IS NULL))
);
CREATE UNIQUE INDEX webhooks_name ON webhooks (lower(name));

-- What signs the messages of a webhook. After a rotation the earlier secrets sign too until they expire.
CREATE TABLE webhook_secrets (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz
);
CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (webhook_id) WHERE expires_at IS NULL;
CREATE INDEX webhook_secrets_webhook ON webhook_secrets (webhook_id);

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- The same for all attempts: receivers recognize repetitions by it
  message_id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  -- The id of the row that the notice is about
  subject_id bigint,
  -- Prevents a second notice of the same event
  source_key text,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  attempted_at timestamptz,
  -- Of the last attempt: the HTTP status, and why it failed
  response_status integer,
  reason text CHECK (length(reason) <= 300),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_deliveries_recent ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE status = 'queued';
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);
CREATE UNIQUE INDEX webhook_deliveries_source ON webhook_deliveries (webhook_id, source_key) WHERE source_key IS NOT NULL;

-- Queues a notice for each webhook that subscribes to its kind, in the transaction that causes it. A webhook with 1,000
-- queued notices gets no more, so that one that does not answer cannot fill the table. The lock of the webhook's row keeps
-- a concurrent deletion from failing this transaction.
CREATE FUNCTION queue_notice(what text, subject bigint, key text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, kind, subject_id, source_key)
    SELECT w.id, what, subject, key
      FROM (SELECT id FROM webhooks WHERE paused_at IS NULL AND what = ANY (kinds) ORDER BY id FOR KEY SHARE) w
      WHERE (SELECT count(*) FROM (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'queued' LIMIT 1000) queued) < 1000
    ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM pg_notify('sauce', '{"to":"webhooks"}');
  END IF;
END $$;

-- New work: the argument is its kind.
CREATE FUNCTION notice_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_notice(TG_ARGV[0], NEW.id, TG_ARGV[0] || ':' || NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER noticed AFTER INSERT ON inquiries FOR EACH ROW WHEN (NEW.status = 'open') EXECUTE FUNCTION notice_of_row('inquiry');
CREATE TRIGGER noticed AFTER INSERT ON trial_requests FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION notice_of_row('trial');

-- One notice for the reports of a case, which is known at the end of the transaction.
CREATE FUNCTION notice_of_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM reports mine JOIN reports earlier ON earlier.case_id = mine.case_id AND earlier.status = 'pending' AND earlier.id < mine.id
      WHERE mine.id = NEW.id
  ) THEN
    PERFORM queue_notice('report', NEW.id, 'report:' || NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER noticed AFTER INSERT ON reports DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION notice_of_report();

-- A customer waits for an answer again.
CREATE FUNCTION notice_of_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_notice('ticket', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER noticed AFTER UPDATE ON tickets FOR EACH ROW
  WHEN (OLD.waiting_since IS NULL AND NEW.waiting_since IS NOT NULL) EXECUTE FUNCTION notice_of_ticket();

CREATE FUNCTION notice_of_line_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_notice('line', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER noticed AFTER INSERT ON line_jobs FOR EACH ROW WHEN (NEW.task IS NOT NULL) EXECUTE FUNCTION notice_of_line_task();
CREATE TRIGGER noticed_later AFTER UPDATE ON line_jobs FOR EACH ROW
  WHEN (OLD.task IS NULL AND NEW.task IS NOT NULL) EXECUTE FUNCTION notice_of_line_task();

-- An invoice that an administrator has to decide: the conditions of the indexes invoices_to_check and invoices_without_link.
CREATE FUNCTION notice_of_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.payment_method = 'creditcard' AND NEW.payment_link IS NULL THEN
    PERFORM queue_notice('card_link', NEW.id);
  ELSIF NOT EXISTS (SELECT FROM payment_cases c WHERE c.status = 'open' AND c.top_invoice_id = NEW.id AND c.level <> 'none') THEN
    PERFORM queue_notice('payment', NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER noticed AFTER INSERT ON invoices FOR EACH ROW
  WHEN (NEW.status = 'pending' AND (NEW.submitted_at IS NOT NULL OR NEW.amount = 0)) EXECUTE FUNCTION notice_of_invoice();
CREATE TRIGGER noticed_later AFTER UPDATE ON invoices FOR EACH ROW
  WHEN (NEW.status = 'pending' AND (NEW.submitted_at IS NOT NULL OR NEW.amount = 0)
    AND (OLD.status <> 'pending' OR (OLD.submitted_at IS NULL AND OLD.amount <> 0))) EXECUTE FUNCTION notice_of_invoice();

CREATE FUNCTION notice_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_notice('refund', NEW.invoice_id, 'refund:' || NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER noticed AFTER INSERT ON refund_requests FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION notice_of_refund();

-- A payment that an email or a processor reported and that is open at the end of the transaction. Those that the staff
-- entered or uploaded are not news to them.
CREATE FUNCTION notice_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payment_cases c JOIN payments p ON p.id = c.payment_id
    WHERE c.payment_id = NEW.payment_id AND c.status = 'open' AND p.source IN ('mail', 'event')) THEN
    PERFORM queue_notice('received', NEW.payment_id, 'received:' || NEW.payment_id);
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER noticed AFTER INSERT ON payment_cases DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION notice_of_payment();
