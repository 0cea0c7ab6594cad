-- What a customer's self-check measured. `facts` is missing while a check runs. Rows are removed after 30 days.
CREATE TABLE self_checks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  channel_id integer REFERENCES channels (id) ON DELETE SET NULL,
  -- Such as `Chrome on Windows`
  device text NOT NULL CHECK (length(device) BETWEEN 1 AND 120),
  -- Whether it reads the channel on the customer's line, which uses a connection for a moment
  probes boolean NOT NULL,
  facts jsonb CHECK (length(facts::text) <= 4096),
  -- How often the sample was loaded
  samples smallint NOT NULL DEFAULT 0 CHECK (samples BETWEEN 0 AND 2),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX self_checks_user ON self_checks (user_id, created_at);
CREATE INDEX self_checks_created ON self_checks (created_at);
CREATE INDEX self_checks_channel ON self_checks (channel_id);

-- The results of a self-check that a report was sent with: the last one of each report.
CREATE TABLE report_evidence (
  report_id integer PRIMARY KEY REFERENCES reports (id) ON DELETE CASCADE,
  -- The check; there is no foreign key, because checks are removed earlier than reports.
  check_id uuid NOT NULL UNIQUE,
  evidence jsonb NOT NULL CHECK (length(evidence::text) <= 8192),
  created_at timestamptz NOT NULL DEFAULT now()
);
