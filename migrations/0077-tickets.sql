-- Tickets: the thread of messages about an inquiry or a report (decision record 093).

-- The signed-in user who sent an inquiry
ALTER TABLE inquiries ADD COLUMN user_id integer REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX inquiries_user ON inquiries (user_id) WHERE user_id IS NOT NULL;

-- 56 bits, so that an answer by email cannot be added to a thread by guessing
CREATE FUNCTION new_ticket_token() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT upper(left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 14))
$$;

CREATE TABLE tickets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('inquiry', 'report')),
  inquiry_id integer REFERENCES inquiries (id) ON DELETE CASCADE,
  report_id integer REFERENCES reports (id) ON DELETE CASCADE,
  -- The customer; null for visitors
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  -- Where answers are sent; null for reports, which are answered at the address of the account
  name text,
  email text,
  subject text NOT NULL,
  -- In the subject of emails about the ticket: an email with it is an answer
  token text NOT NULL DEFAULT new_ticket_token() CHECK (token ~ '^[0-9A-F]{14}$'),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'waiting', 'solved')),
  assignee_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_message_at timestamptz NOT NULL DEFAULT now(),
  -- Since when the customer waits for an answer. The first message waits as an inquiry or a report instead.
  waiting_since timestamptz,
  version integer NOT NULL DEFAULT 1,
  -- Subject, sender and the beginning of the messages in lower case
  search text NOT NULL,
  CONSTRAINT about_one_thing CHECK ((kind = 'inquiry') = (inquiry_id IS NOT NULL) AND (kind = 'report') = (report_id IS NOT NULL)),
  CONSTRAINT inquiries_have_a_sender CHECK (kind <> 'inquiry' OR (name IS NOT NULL AND email IS NOT NULL)),
  CONSTRAINT reports_have_an_author CHECK (kind <> 'report' OR user_id IS NOT NULL),
  CONSTRAINT only_open_tickets_wait CHECK (waiting_since IS NULL OR status = 'open')
);
CREATE UNIQUE INDEX tickets_token ON tickets (token);
CREATE UNIQUE INDEX one_ticket_an_inquiry ON tickets (inquiry_id) WHERE inquiry_id IS NOT NULL;
CREATE UNIQUE INDEX one_ticket_a_report ON tickets (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX tickets_user ON tickets (user_id, last_message_at, id) WHERE user_id IS NOT NULL;
CREATE INDEX tickets_without_user ON tickets (lower(email)) WHERE user_id IS NULL;
CREATE INDEX tickets_recent ON tickets (last_message_at, id);
CREATE INDEX tickets_status ON tickets (status, last_message_at, id);
CREATE INDEX tickets_assignee ON tickets ((coalesce(assignee_id, 0)), last_message_at, id);
CREATE INDEX tickets_assignee_status ON tickets ((coalesce(assignee_id, 0)), status, last_message_at, id);
CREATE INDEX tickets_assigned ON tickets (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX tickets_waiting ON tickets (waiting_since, id) WHERE waiting_since IS NOT NULL;

CREATE TABLE ticket_messages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id integer NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- Notes are for administrators only
  kind text NOT NULL CHECK (kind IN ('customer', 'staff', 'note')),
  -- `hand`: an administrator entered what the customer said elsewhere
  via text NOT NULL DEFAULT 'site' CHECK (via IN ('site', 'email', 'hand')),
  author_id integer REFERENCES users (id) ON DELETE SET NULL,
  -- The address that an answer by email came from, if it is another one
  sender text CHECK (length(sender) <= 254),
  body text NOT NULL CHECK (length(body) <= 20000),
  -- Attachments that were not accepted, with the reason
  refused jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(refused) = 'array'),
  is_first boolean NOT NULL DEFAULT false,
  -- The part of the Message-ID of the email before the @, which answers name
  mail_key text,
  -- The Message-ID of a received email, as a hash: every copy of it is one message
  source_key text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ticket_messages_ticket ON ticket_messages (ticket_id, id);
CREATE UNIQUE INDEX one_first_message ON ticket_messages (ticket_id) WHERE is_first;
CREATE UNIQUE INDEX ticket_messages_mail ON ticket_messages (mail_key) WHERE mail_key IS NOT NULL;
CREATE UNIQUE INDEX ticket_messages_source ON ticket_messages (source_key) WHERE source_key IS NOT NULL;
CREATE INDEX ticket_messages_author ON ticket_messages (author_id) WHERE author_id IS NOT NULL;

-- How many tickets there are, by status and assignee. Its sort is
--   1 lastMessageAt: the week of the last message
CREATE FUNCTION count_tickets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'tickets', r.status, coalesce(r.assignee_id, 0)::text, ARRAY[to_char(date_trunc('week', r.last_message_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'tickets', r.status, coalesce(r.assignee_id, 0)::text, ARRAY[to_char(date_trunc('week', r.last_message_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'tickets';
    DELETE FROM row_changes WHERE list = 'tickets';
  ELSE
    INSERT INTO row_changes VALUES
      ('tickets', OLD.status, coalesce(OLD.assignee_id, 0)::text, ARRAY[to_char(date_trunc('week', OLD.last_message_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -1),
      ('tickets', NEW.status, coalesce(NEW.assignee_id, 0)::text, ARRAY[to_char(date_trunc('week', NEW.last_message_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON tickets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_tickets();
CREATE TRIGGER rows_removed AFTER DELETE ON tickets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_tickets();
CREATE TRIGGER rows_moved AFTER UPDATE ON tickets FOR EACH ROW
  WHEN ((OLD.status, OLD.assignee_id, OLD.last_message_at) IS DISTINCT FROM (NEW.status, NEW.assignee_id, NEW.last_message_at)) EXECUTE FUNCTION count_tickets();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON tickets FOR EACH STATEMENT EXECUTE FUNCTION count_tickets();

-- Every inquiry and report has a ticket. An inquiry belongs to its sender if they were signed in, or to the customer who
-- has confirmed its address: an account with an unconfirmed address may not read what others wrote from it.
CREATE FUNCTION open_inquiry_tickets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tickets (kind, inquiry_id, user_id, name, email, subject, status, created_at, last_message_at, search)
    SELECT 'inquiry', i.id,
      coalesce(i.user_id, (SELECT u.id FROM users u WHERE lower(u.email) = lower(i.email) AND u.email_verified_at IS NOT NULL)),
      i.name, i.email, left(split_part(i.message, E'\n', 1), 120), CASE i.status WHEN 'open' THEN 'open' ELSE 'waiting' END,
      i.created_at, i.created_at, lower(i.name || E'\n' || i.email || E'\n' || i.message)
    FROM added i ORDER BY i.id;
  INSERT INTO ticket_messages (ticket_id, kind, author_id, body, is_first, created_at)
    SELECT t.id, 'customer', i.user_id, i.message, true, i.created_at FROM added i JOIN tickets t ON t.inquiry_id = i.id ORDER BY i.id;
  RETURN NULL;
END $$;
CREATE FUNCTION open_report_tickets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tickets (kind, report_id, user_id, subject, status, created_at, last_message_at, search)
    SELECT 'report', r.id, r.user_id, r.content_name, CASE WHEN r.status IN ('resolved', 'dismissed') THEN 'solved' ELSE 'open' END,
      r.created_at, r.created_at, lower(r.content_name || coalesce(E'\n' || r.description, ''))
    FROM added r ORDER BY r.id;
  INSERT INTO ticket_messages (ticket_id, kind, author_id, body, is_first, created_at)
    SELECT t.id, 'customer', r.user_id, coalesce(r.description, ''), true, r.created_at FROM added r JOIN tickets t ON t.report_id = r.id ORDER BY r.id;
  RETURN NULL;
END $$;

-- Those that exist already
INSERT INTO tickets (kind, inquiry_id, user_id, name, email, subject, status, created_at, last_message_at, search)
  SELECT 'inquiry', i.id, (SELECT u.id FROM users u WHERE lower(u.email) = lower(i.email) AND u.email_verified_at IS NOT NULL),
    i.name, i.email, left(split_part(i.message, E'\n', 1), 120), CASE i.status WHEN 'open' THEN 'open' ELSE 'waiting' END,
    i.created_at, i.created_at, lower(i.name || E'\n' || i.email || E'\n' || i.message)
  FROM inquiries i ORDER BY i.id;
INSERT INTO ticket_messages (ticket_id, kind, body, is_first, created_at)
  SELECT t.id, 'customer', i.message, true, i.created_at FROM inquiries i JOIN tickets t ON t.inquiry_id = i.id ORDER BY i.id;
INSERT INTO tickets (kind, report_id, user_id, subject, status, created_at, last_message_at, search)
  SELECT 'report', r.id, r.user_id, r.content_name, CASE WHEN r.status IN ('resolved', 'dismissed') THEN 'solved' ELSE 'open' END,
    r.created_at, r.created_at, lower(r.content_name || coalesce(E'\n' || r.description, ''))
  FROM reports r ORDER BY r.id;
INSERT INTO ticket_messages (ticket_id, kind, author_id, body, is_first, created_at)
  SELECT t.id, 'customer', r.user_id, coalesce(r.description, ''), true, r.created_at FROM reports r JOIN tickets t ON t.report_id = r.id ORDER BY r.id;

CREATE TRIGGER tickets_opened AFTER INSERT ON inquiries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION open_inquiry_tickets();
CREATE TRIGGER tickets_opened AFTER INSERT ON reports REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION open_report_tickets();

-- An inquiry that is marked as answered, and a report that is decided, take their ticket along.
CREATE FUNCTION follow_inquiry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'answered' THEN
    UPDATE tickets SET status = 'waiting', waiting_since = NULL, version = version + 1 WHERE inquiry_id = NEW.id AND status = 'open';
  ELSE
    UPDATE tickets SET status = 'open', version = version + 1 WHERE inquiry_id = NEW.id AND status <> 'open';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_followed AFTER UPDATE ON inquiries FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION follow_inquiry();
CREATE FUNCTION follow_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IN ('resolved', 'dismissed') THEN
    UPDATE tickets SET status = 'solved', waiting_since = NULL, version = version + 1 WHERE report_id = NEW.id AND status <> 'solved';
  ELSIF OLD.status IN ('resolved', 'dismissed') THEN
    UPDATE tickets SET status = 'open', version = version + 1 WHERE report_id = NEW.id AND status <> 'open';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_followed AFTER UPDATE ON reports FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION follow_report();

-- A customer who confirms an address gets the threads of inquiries that were sent from it.
CREATE FUNCTION claim_tickets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tickets SET user_id = NEW.id, version = version + 1 WHERE user_id IS NULL AND lower(email) = lower(NEW.email);
  RETURN NULL;
END $$;
CREATE TRIGGER tickets_claimed AFTER UPDATE ON users FOR EACH ROW
  WHEN (NEW.email_verified_at IS NOT NULL AND (OLD.email_verified_at IS NULL OR lower(OLD.email) <> lower(NEW.email))) EXECUTE FUNCTION claim_tickets();

-- Tickets on the timeline of their customer
CREATE OR REPLACE FUNCTION audited_customer(actor integer, target_type text, target text) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF target_type IN ('session', 'passkey') THEN
    RETURN actor;
  ELSIF target !~ '^[0-9]{1,9}$' THEN
    RETURN NULL;
  ELSIF target_type = 'user' THEN
    RETURN target::integer;
  ELSIF target_type = 'invoice' THEN
    RETURN (SELECT user_id FROM invoices WHERE id = target::integer);
  ELSIF target_type = 'report' THEN
    RETURN (SELECT user_id FROM reports WHERE id = target::integer);
  ELSIF target_type = 'trial_request' THEN
    RETURN (SELECT user_id FROM trial_requests WHERE id = target::integer);
  ELSIF target_type = 'mail' THEN
    RETURN (SELECT user_id FROM mails WHERE id = target::integer);
  ELSIF target_type = 'payment' THEN
    RETURN customer_of_payment(target::bigint);
  ELSIF target_type = 'ticket' THEN
    RETURN (SELECT user_id FROM tickets WHERE id = target::integer);
  END IF;
  RETURN NULL;
END $$;

-- Searches of one and two characters, and of three and more
CREATE INDEX tickets_short ON tickets USING gin (short_pieces(search));
DO $$ BEGIN
  CREATE INDEX tickets_search ON tickets USING gin (search gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available (%): searching long lists is slow until it is', SQLERRM;
END $$;
