-- The devices on which customers watch.
CREATE TABLE devices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('browser', 'tv', 'app')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 24),
  -- What the device says it is, such as `Chrome on Windows`
  agent text NOT NULL DEFAULT '' CHECK (length(agent) <= 120),
  -- The country that its address belonged to when it was added; null if unknown
  country text CHECK (country ~ '^[A-Z]{2}$'),
  -- The session in which a browser watches. Sessions are deleted when they end, so there is no foreign key.
  session_id bigint,
  -- SHA-256 of the token of a paired TV; null until the TV has fetched it
  token_hash bytea CHECK (length(token_hash) = 32),
  -- The credentials of a TV app: the name, and SHA-256 of the password
  link_name text CHECK (link_name ~ '^[a-z0-9]{8}$'),
  link_hash bytea CHECK (length(link_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz,
  ended_at timestamptz,
  CHECK (kind = 'browser' OR session_id IS NULL),
  CHECK (kind = 'tv' OR token_hash IS NULL),
  CHECK ((kind = 'app') = (link_name IS NOT NULL) AND (kind = 'app') = (link_hash IS NOT NULL))
);
CREATE INDEX devices_user ON devices (user_id);
CREATE UNIQUE INDEX devices_session ON devices (session_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX devices_token ON devices (token_hash);
CREATE UNIQUE INDEX devices_link ON devices (link_name);

-- Plays belong to a device. Those from before have none.
ALTER TABLE plays ADD COLUMN device_id uuid REFERENCES devices (id) ON DELETE CASCADE;
ALTER TABLE plays ALTER COLUMN session_id DROP NOT NULL;
DROP INDEX plays_open;
CREATE UNIQUE INDEX plays_open ON plays (device_id) WHERE ended_at IS NULL;
CREATE INDEX plays_device ON plays (device_id, seen_at);
