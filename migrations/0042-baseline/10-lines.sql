-- A customer's line on the operator's panel: the state we want, and the state the panel last reported. The password is sealed for its row.
CREATE TABLE lines (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  -- The panel that `line_ref` is a number of: type and address
  panel text,
  line_ref text,
  username text,
  password text,
  server text,
  trial_until timestamptz,
  wanted_enabled boolean NOT NULL DEFAULT false,
  wanted_until timestamptz,
  wanted_connections integer CHECK (wanted_connections > 0),
  panel_enabled boolean,
  panel_until timestamptz,
  panel_connections integer,
  seen_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((username IS NULL) = (password IS NULL)),
  CHECK (line_ref IS NULL OR (username IS NOT NULL AND panel IS NOT NULL))
);
CREATE UNIQUE INDEX lines_username ON lines (username);
CREATE UNIQUE INDEX lines_ref ON lines (panel, line_ref);
CREATE INDEX lines_wanted ON lines (wanted_until) WHERE wanted_enabled;

-- What has to be done about a line, once for each cause. `task` says why a job waits for an administrator.
CREATE TABLE line_jobs (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  cause text NOT NULL CHECK (cause IN ('purchase', 'plan_change', 'grant', 'undo', 'segment', 'end', 'trial', 'trial_change', 'repair', 'stray')),
  cause_key text NOT NULL UNIQUE,
  invoice_id integer REFERENCES invoices (id),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'done', 'rejected', 'unknown')),
  -- The last call, what the panel reported before it, and all calls so far
  step text CHECK (step IN ('create', 'extend', 'connections', 'enable', 'disable')),
  seen jsonb,
  steps jsonb NOT NULL DEFAULT '[]',
  attempts integer NOT NULL DEFAULT 0,
  asked integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  task text CHECK (task IN ('manual', 'rejected', 'unknown', 'tries', 'package', 'mismatch', 'gone')),
  last_answer text,
  -- The number of an orphan line: one on the panel that belongs to no customer
  line_ref text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  CHECK (state <> 'done' OR task IS NULL),
  CHECK (user_id IS NOT NULL OR line_ref IS NOT NULL)
);
-- While the outcome of a call is unknown, no other call is made for the same line.
CREATE UNIQUE INDEX one_call_a_line ON line_jobs (user_id) WHERE state IN ('sent', 'unknown');
CREATE INDEX line_jobs_open ON line_jobs (id) WHERE task IS NULL AND state IN ('queued', 'sent', 'unknown');
CREATE INDEX line_jobs_tasks ON line_jobs (id) WHERE task IS NOT NULL;
CREATE INDEX line_jobs_state ON line_jobs (state, id);
CREATE INDEX line_jobs_user ON line_jobs (user_id, id);
CREATE INDEX line_jobs_invoice ON line_jobs (invoice_id) WHERE invoice_id IS NOT NULL;

-- State of the panel that all processes share: who holds the lease to call it, the back-off after failures, and the last comparison.
CREATE TABLE line_panel (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  holder uuid,
  held_until timestamptz NOT NULL DEFAULT now(),
  failures integer NOT NULL DEFAULT 0,
  rest_until timestamptz NOT NULL DEFAULT now(),
  down_since timestamptz,
  last_failure text,
  check_asked_at timestamptz,
  checked_at timestamptz,
  check_note text
);
INSERT INTO line_panel DEFAULT VALUES;

-- The differences between the panel and our records that the last comparison found
CREATE TABLE line_drift (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('no_line', 'missing', 'end', 'connections', 'state', 'stray')),
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  line_ref text,
  username text,
  ours jsonb NOT NULL DEFAULT '{}',
  theirs jsonb NOT NULL DEFAULT '{}',
  found_at timestamptz NOT NULL DEFAULT now(),
  -- An administrator accepted this difference: it is not reported again while it stays the same.
  kept boolean NOT NULL DEFAULT false
);
CREATE INDEX line_drift_kind ON line_drift (kept, kind, id DESC);
CREATE INDEX line_drift_open ON line_drift (kind, id) WHERE NOT kept;
