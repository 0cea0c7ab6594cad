-- Incidents of the service, shown on the status page (decision record 096).

CREATE TABLE incidents (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('problem', 'outage', 'maintenance')),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 120),
  starts_at timestamptz NOT NULL,
  -- Of maintenance only: when it ends without an administrator
  planned_until timestamptz,
  ended_at timestamptz,
  -- Opened by mistake, or cancelled before it began: no longer shown
  withdrawn_at timestamptz,
  -- The status page was renewed when it began
  begun boolean NOT NULL,
  -- The reports that it was opened for
  case_id integer REFERENCES report_cases (id),
  -- The reporters of that case are emailed when it ends
  notifies boolean NOT NULL DEFAULT false,
  created_by integer NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT maintenance_is_planned CHECK ((kind = 'maintenance') = (planned_until IS NOT NULL)),
  CONSTRAINT ends_after_its_start CHECK (ended_at >= starts_at AND planned_until > starts_at),
  CONSTRAINT ended_or_withdrawn CHECK (ended_at IS NULL OR withdrawn_at IS NULL),
  CONSTRAINT notifies_reporters CHECK (NOT notifies OR (case_id IS NOT NULL AND ended_at IS NOT NULL))
);
CREATE INDEX incidents_open ON incidents (starts_at) WHERE ended_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX incidents_ended ON incidents (ended_at DESC) WHERE ended_at IS NOT NULL;
CREATE INDEX incidents_notifying ON incidents (id) WHERE notifies;
CREATE UNIQUE INDEX one_open_incident ON incidents (case_id) WHERE ended_at IS NULL AND withdrawn_at IS NULL;

-- What an incident affects: groups of channels by their category, and channels by their name at that time. Without a row it is the whole service.
CREATE TABLE incident_targets (
  incident_id integer NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  scope text NOT NULL CHECK (scope IN ('category', 'channel')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  PRIMARY KEY (incident_id, scope, name)
);

CREATE TABLE incident_updates (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incident_id integer NOT NULL REFERENCES incidents (id),
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 2000),
  created_by integer REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX incident_updates_incident ON incident_updates (incident_id, id);
CREATE TRIGGER incident_updates_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON incident_updates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
