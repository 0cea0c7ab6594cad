-- What an administrator asked for and another one has to ask for as well before it happens (SELF_APPROVAL=deny).
CREATE TABLE admin_requests (
  action text NOT NULL CHECK (action IN ('promote', 'payments', 'reveal_mail')),
  -- The user, setting or mail it is about.
  target text NOT NULL CHECK (length(target) <= 100),
  -- SHA-256 of what exactly was asked for: another wish is another request.
  digest bytea NOT NULL CHECK (length(digest) = 32),
  requested_by integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  requested_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (action, target)
);
CREATE INDEX admin_requests_by ON admin_requests (requested_by);
