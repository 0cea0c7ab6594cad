-- Lines that are moved from one panel to another (decision record 090).
ALTER TABLE line_jobs DROP CONSTRAINT line_jobs_cause_check;
ALTER TABLE line_jobs ADD CONSTRAINT line_jobs_cause_check CHECK (cause IN
  ('purchase', 'plan_change', 'grant', 'undo', 'segment', 'end', 'trial', 'trial_change', 'repair', 'stray', 'move', 'left'));

CREATE TABLE line_move_runs (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  from_panel integer NOT NULL REFERENCES panels (id),
  to_panel integer NOT NULL REFERENCES panels (id),
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'stopped', 'done')),
  -- `back`: the lines that were moved return
  direction text NOT NULL DEFAULT 'there' CHECK (direction IN ('there', 'back')),
  created_by integer REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  CHECK (from_panel <> to_panel)
);
CREATE UNIQUE INDEX one_running_move ON line_move_runs (state) WHERE state = 'running';
CREATE INDEX line_move_runs_from ON line_move_runs (from_panel);
CREATE INDEX line_move_runs_to ON line_move_runs (to_panel);
CREATE INDEX line_move_runs_created_by ON line_move_runs (created_by) WHERE created_by IS NOT NULL;

CREATE TABLE line_moves (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  run_id integer NOT NULL REFERENCES line_move_runs (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'queued', 'moved', 'returned', 'skipped')),
  job_id bigint REFERENCES line_jobs (id) ON DELETE SET NULL,
  -- The line on the panel that the customer's line is not on: first the one that was created, later the one that was left. Sealed for this row.
  other_ref text,
  other_username text,
  other_password text,
  CHECK ((other_username IS NULL) = (other_password IS NULL))
);
CREATE UNIQUE INDEX line_moves_user ON line_moves (run_id, user_id);
CREATE INDEX line_moves_state ON line_moves (run_id, state, id);
CREATE INDEX line_moves_of_user ON line_moves (user_id);
CREATE INDEX line_moves_job ON line_moves (job_id) WHERE job_id IS NOT NULL;
