-- Unlogged tables: written without waiting for the disk, empty after a crash of the server, and not in backups

-- How many points of each rate limit are used; `expire` is milliseconds since 1970.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire ON rate_limits (expire);

-- The visitors that each process serves, published while an administrator looks at them: one encrypted text for each process
CREATE UNLOGGED TABLE presence (
  process uuid PRIMARY KEY,
  visitors text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now()
);
