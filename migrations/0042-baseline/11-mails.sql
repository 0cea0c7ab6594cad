-- The outbox: written in the transaction that causes the mail, sent afterwards

CREATE TABLE mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dedupe_key text NOT NULL UNIQUE,
  user_id integer REFERENCES users (id),
  recipient text NOT NULL,
  template text NOT NULL,
  data jsonb NOT NULL,
  -- kept: not sent, because there is no SMTP server
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed', 'kept')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  -- What only the recipient may see (a link with a token), encrypted until the mail is sent
  sealed text,
  -- When a queued mail may be tried (again). A worker that takes a mail moves it ahead, so that the mail is retried if the worker crashes.
  due_at timestamptz NOT NULL DEFAULT now(),
  last_error text,
  resends integer NOT NULL DEFAULT 0
);
CREATE INDEX mails_queued ON mails (due_at, id) WHERE status = 'queued';
CREATE INDEX mails_status ON mails (status, id);
CREATE INDEX mails_template ON mails (template, id);
CREATE INDEX mails_user ON mails (user_id, id);
