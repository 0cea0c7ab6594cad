-- Settings, the audit log, approvals by a second administrator, and which installation this database belongs to

CREATE TABLE settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by integer REFERENCES users (id)
);

-- Settings that are never shown again, encrypted: the API key of the panel that lines are created on
CREATE TABLE setting_secrets (
  name text PRIMARY KEY,
  sealed text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id integer REFERENCES users (id),
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text
);
-- The log is read newest first, whatever it is filtered by.
CREATE INDEX audit_log_at ON audit_log (at, id);
CREATE INDEX audit_log_action ON audit_log (action, at, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, at, id);
CREATE INDEX audit_log_target_type ON audit_log (target_type, at, id);
CREATE INDEX audit_log_target ON audit_log (target_id, target_type, id);
CREATE INDEX audit_log_request ON audit_log (request_id) WHERE request_id IS NOT NULL;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What one administrator requested and another one has to request as well before it happens (SELF_APPROVAL=deny)
CREATE TABLE admin_requests (
  action text NOT NULL CHECK (action IN ('promote', 'payments', 'reveal_mail')),
  -- The user, setting or mail it is about
  target text NOT NULL CHECK (length(target) <= 100),
  -- SHA-256 of what exactly was requested: a request for anything else is another request.
  digest bytea NOT NULL CHECK (length(digest) = 32),
  requested_by integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  requested_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (action, target)
);
CREATE INDEX admin_requests_by ON admin_requests (requested_by);

-- Which installation this database belongs to. Any other installation that opens it, or one that restored it from a backup, calls no
-- panel and sends no mail until an administrator declares it live.
CREATE TABLE installation (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- Where the live installation keeps this database; null until the first start claims it, and after a restore
  place text,
  -- The host name in its PUBLIC_URL; null while that is not set, or only names a machine
  address text,
  live_since timestamptz,
  restored_at timestamptz,
  -- The last other installation that opened this database, and when
  other_address text,
  other_opened_at timestamptz,
  -- When the last backup of this database was written and verified
  backed_up_at timestamptz,
  CHECK (restored_at IS NULL OR place IS NULL),
  CHECK ((place IS NULL) = (live_since IS NULL))
);
INSERT INTO installation DEFAULT VALUES;
