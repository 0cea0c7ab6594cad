-- Codes with which a TV asks to be paired. They last ten minutes; losing them costs a new code, so they are neither logged nor backed up.
CREATE UNLOGGED TABLE device_codes (
  -- SHA-256 of the code that only the TV has
  device_hash bytea PRIMARY KEY CHECK (length(device_hash) = 32),
  -- SHA-256 of the code that it shows
  code_hash bytea NOT NULL UNIQUE CHECK (length(code_hash) = 32),
  agent text NOT NULL CHECK (length(agent) <= 120),
  country text CHECK (country ~ '^[A-Z]{2}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  polled_at timestamptz,
  -- Seconds that the TV has to wait between two requests
  poll_seconds smallint NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'allowed', 'denied', 'used')),
  device_id uuid REFERENCES devices (id) ON DELETE CASCADE,
  CHECK ((state IN ('allowed', 'used')) = (device_id IS NOT NULL))
);
CREATE INDEX device_codes_expires ON device_codes (expires_at);
CREATE INDEX device_codes_device ON device_codes (device_id);
