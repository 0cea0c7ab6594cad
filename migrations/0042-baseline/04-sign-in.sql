-- Sessions and everything that proves who signs in. Tokens are stored as SHA-256 hashes only.

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ip text,
  user_agent text,
  -- Names a session in the API without its token.
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  -- The administrator who views the site as this customer, in a short session of its own.
  impersonated_by integer REFERENCES users (id) ON DELETE CASCADE,
  CHECK (impersonated_by <> user_id)
);
CREATE UNIQUE INDEX sessions_number ON sessions (id);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_impersonator ON sessions (impersonated_by) WHERE impersonated_by IS NOT NULL;

-- Where a user has logged in from, as a hash of device and network. The first login from a new one is reported by email.
CREATE TABLE login_places (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  place bytea NOT NULL CHECK (length(place) = 32),
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, place)
);

-- Links in emails: to set a new password, to verify an address. Only the newest link of a purpose is valid.
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

-- The second factor: a code from an authenticator app (RFC 6238), or one of ten recovery codes. `last_step` is the time step of the
-- last accepted code; codes of it or of earlier steps are refused.
CREATE TABLE two_factor (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret text NOT NULL CHECK (secret ~ '^v[0-9]+:'),
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0
);
CREATE TABLE recovery_codes (
  user_id integer NOT NULL REFERENCES two_factor (user_id) ON DELETE CASCADE,
  code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

-- Logins with the right password that still need the second factor
CREATE TABLE pending_logins (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 5)
);
CREATE INDEX pending_logins_user ON pending_logins (user_id);
CREATE INDEX pending_logins_expiry ON pending_logins (expires_at);

-- Passkeys (WebAuthn): the public keys of users' devices
CREATE TABLE passkeys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1400),
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports jsonb NOT NULL CHECK (jsonb_typeof(transports) = 'array'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id, id);

-- One-time challenges for a device to sign. `user_id` is null while a passkey login does not yet name its user.
CREATE TABLE passkey_challenges (
  challenge_hash bytea PRIMARY KEY CHECK (length(challenge_hash) = 32),
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
CREATE INDEX passkey_challenges_user ON passkey_challenges (user_id) WHERE user_id IS NOT NULL;
