-- Keys with which other programs call the API (decision record 100).
CREATE TABLE api_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  -- SHA-256 of the key
  key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
  -- The beginning of the key, by which people recognize it
  prefix text NOT NULL CHECK (length(prefix) BETWEEN 1 AND 16),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_by integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz CHECK (ends_at > created_at),
  revoked_at timestamptz,
  revoked_by integer REFERENCES users (id) ON DELETE SET NULL,
  last_used_at timestamptz,
  last_used_ip text,
  CONSTRAINT used_from_an_address CHECK ((last_used_at IS NULL) = (last_used_ip IS NULL))
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (key_hash);
CREATE INDEX api_keys_created_by ON api_keys (created_by);
CREATE INDEX api_keys_revoked_by ON api_keys (revoked_by) WHERE revoked_by IS NOT NULL;

-- The key that acted for the actor. Its name is stored too, because the log must not depend on rows that may be deleted.
ALTER TABLE audit_log ADD COLUMN api_key_id integer, ADD COLUMN api_key_name text;
