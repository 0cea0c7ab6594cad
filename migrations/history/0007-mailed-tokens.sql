-- Links that prove who opens them: a new password, an address that is read. Only hashes are kept; the newest link of a kind is the only one.
CREATE TABLE mailed_tokens (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('reset_password', 'verify_email')),
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  email text NOT NULL CHECK (length(email) <= 254),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, purpose)
);
CREATE INDEX mailed_tokens_expiry ON mailed_tokens (expires_at);
