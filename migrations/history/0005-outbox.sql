-- The outbox at work. `sealed` holds what only the reader may see (a link with a token), until the mail is sent.
-- `due_at` is when a queued mail may be tried (again): whoever takes it sets it ahead, so that a crash gives it back.
ALTER TABLE mails
  ADD sealed text,
  ADD due_at timestamptz NOT NULL DEFAULT now(),
  ADD last_error text,
  ADD resends integer NOT NULL DEFAULT 0;
DROP INDEX mails_queued;
CREATE INDEX mails_queued ON mails (due_at, id) WHERE status = 'queued';

-- What the mail log is ordered and filtered by
CREATE INDEX mails_status ON mails (status, id);
CREATE INDEX mails_template ON mails (template, id);
CREATE INDEX mails_user ON mails (user_id, id);
CREATE INDEX mails_recipient ON mails (lower(recipient) text_pattern_ops, id);
