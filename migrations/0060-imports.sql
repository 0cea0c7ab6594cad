-- Imports of customers from another system (decision record 080). Amounts are cents.

-- One uploaded file. `mapping` is which column has what.
CREATE TABLE import_runs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  state text NOT NULL DEFAULT 'checked' CHECK (state IN ('checked', 'applying', 'applied', 'undoing', 'undone')),
  mapping jsonb NOT NULL,
  created_by integer NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  applied_by integer REFERENCES users (id),
  applied_at timestamptz,
  undone_by integer REFERENCES users (id),
  undone_at timestamptz,
  CONSTRAINT applied_by_somebody CHECK ((applied_at IS NULL) = (applied_by IS NULL)),
  CONSTRAINT undone_by_somebody CHECK ((undone_at IS NULL) = (undone_by IS NULL))
);
-- Two runs at the same time could create the same customer.
CREATE UNIQUE INDEX one_run_at_work ON import_runs ((true)) WHERE state IN ('applying', 'undoing');

-- A row of the file with what becomes of it. Secrets are removed once the row is applied.
CREATE TABLE import_rows (
  -- `run:line`. The sealed password of the line belongs to this key.
  row_key text PRIMARY KEY,
  run_id integer NOT NULL REFERENCES import_runs (id) ON DELETE CASCADE,
  line integer NOT NULL CHECK (line >= 1),
  verdict text NOT NULL CHECK (verdict IN ('create', 'exists', 'refused', 'created', 'undone', 'kept')),
  reason text,
  username text NOT NULL,
  email text NOT NULL,
  full_name text,
  password_hash text,
  credit integer NOT NULL DEFAULT 0,
  -- Not a reference: a plan that only an old import names can be deleted.
  plan_id integer,
  paid_until timestamptz,
  line_username text,
  line_password text CHECK (line_password ~ '^v[0-9]+:'),
  -- The account that this row created. Not a reference: the account is deleted when the run is undone.
  user_id integer,
  CONSTRAINT refused_with_a_reason CHECK (verdict <> 'refused' OR reason IS NOT NULL),
  CONSTRAINT created_an_account CHECK ((verdict IN ('created', 'undone', 'kept')) = (user_id IS NOT NULL)),
  CONSTRAINT no_secrets_after_applying CHECK (verdict = 'create' OR (password_hash IS NULL AND line_password IS NULL))
);
CREATE INDEX import_rows_run ON import_rows (run_id, verdict, line);

-- Which column has what, as a person named it, by the hash of the headings
CREATE TABLE import_mappings (
  signature bytea PRIMARY KEY CHECK (length(signature) = 32),
  mapping jsonb NOT NULL,
  saved_by integer NOT NULL REFERENCES users (id),
  saved_at timestamptz NOT NULL DEFAULT now()
);

-- Password hashes of another system, until the first login replaces each
CREATE INDEX users_imported_password ON users (id) WHERE password_hash LIKE 'import:%';

-- Undoing an import deletes accounts. Without an index on each large table that refers to users, every deletion would scan it.
CREATE INDEX users_referred_by ON users (referred_by) WHERE referred_by IS NOT NULL;
CREATE INDEX activations_created_by ON activations (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX activations_reversed_by ON activations (reversed_by) WHERE reversed_by IS NOT NULL;
CREATE INDEX credit_transactions_created_by ON credit_transactions (created_by) WHERE created_by IS NOT NULL;
