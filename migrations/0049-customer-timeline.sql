-- The timeline of a customer: which customer an audit entry is about, and one index for each source, so that a page of it reads a
-- few rows however long the history of the customer or of the installation is.

-- The customer that an entry of the audit log is about; null for entries about the catalog, settings and lists.
ALTER TABLE audit_log ADD COLUMN customer_id integer;

CREATE FUNCTION audited_customer(actor integer, target_type text, target text) RETURNS integer LANGUAGE plpgsql STABLE AS $$
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
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION set_audited_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.customer_id := audited_customer(NEW.actor_id, NEW.target_type, NEW.target_id);
  RETURN NEW;
END $$;
CREATE TRIGGER customer_audited BEFORE INSERT ON audit_log FOR EACH ROW
  WHEN (NEW.customer_id IS NULL) EXECUTE FUNCTION set_audited_customer();

-- The entries that exist already. Nothing that was recorded changes.
ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;
UPDATE audit_log SET customer_id = audited_customer(actor_id, target_type, target_id)
  WHERE target_type IN ('session', 'passkey', 'user', 'invoice', 'report', 'trial_request', 'mail');
ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only;

-- The part of an action before the dot decides which filter of the timeline shows the entry.
CREATE INDEX audit_log_customer ON audit_log (customer_id, split_part(action, '.', 1), id) WHERE customer_id IS NOT NULL;

CREATE INDEX invoices_submitted ON invoices (user_id, submitted_at, id) WHERE submitted_at IS NOT NULL;
CREATE INDEX invoices_open_user ON invoices (user_id, expires_at) WHERE status IN ('draft', 'pending');
CREATE INDEX line_jobs_open_user ON line_jobs (user_id, id) WHERE state <> 'done';
CREATE INDEX inquiries_email ON inquiries (lower(email), id);
DROP INDEX sessions_user;
CREATE INDEX sessions_user ON sessions (user_id, id);
