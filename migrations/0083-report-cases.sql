-- Reports on the same content are one case, whatever its spelling (decision record 093).

CREATE TABLE report_cases (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The same for all spellings, from features/reports/case-rules.ts
  case_key text NOT NULL,
  -- The name of the channel, or as first reported
  title text NOT NULL,
  channel_id integer REFERENCES channels (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When none of its reports waited any more
  solved_at timestamptz,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX one_open_case ON report_cases (case_key) WHERE solved_at IS NULL;
CREATE INDEX report_cases_open ON report_cases (created_at, id) WHERE solved_at IS NULL;
CREATE INDEX report_cases_channel ON report_cases (channel_id) WHERE channel_id IS NOT NULL;

-- Spellings that an administrator assigned to another case: further reports with them belong there too
CREATE TABLE report_spellings (
  spelling text PRIMARY KEY,
  case_key text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT now()
);

-- Null until it is grouped, immediately after it was sent
ALTER TABLE reports ADD COLUMN case_id integer REFERENCES report_cases (id);
CREATE INDEX reports_case ON reports (case_id, status, id) WHERE case_id IS NOT NULL;
CREATE INDEX reports_ungrouped ON reports (id) WHERE case_id IS NULL AND status IN ('pending', 'reviewing');

-- A case is solved with the last of its reports, and open again with one that is reopened, unless its successor is open.
CREATE FUNCTION follow_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IN ('resolved', 'dismissed') THEN
    UPDATE report_cases SET solved_at = now(), version = version + 1 WHERE id = NEW.case_id AND solved_at IS NULL
      AND NOT EXISTS (SELECT FROM reports r WHERE r.case_id = NEW.case_id AND r.status IN ('pending', 'reviewing'));
  ELSE
    UPDATE report_cases c SET solved_at = NULL, version = version + 1 WHERE c.id = NEW.case_id AND c.solved_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM report_cases o WHERE o.case_key = c.case_key AND o.solved_at IS NULL);
    -- Grouped again with the open case of its content
    UPDATE reports r SET case_id = NULL FROM report_cases c
      WHERE r.id = NEW.id AND c.id = NEW.case_id AND c.solved_at IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER case_followed AFTER UPDATE ON reports FOR EACH ROW
  WHEN (NEW.case_id IS NOT NULL AND OLD.status <> NEW.status) EXECUTE FUNCTION follow_case();
