-- The list of what is done about lines is counted like the other long ones. `head` says whether a job waits for an administrator; steps are its numbers.
CREATE FUNCTION count_line_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'line_jobs', r.state, CASE WHEN r.task IS NULL THEN '' ELSE 'task' END, ARRAY[lpad((r.id >> 12)::text, 16, '0')], CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'line_jobs';
    DELETE FROM row_changes WHERE list = 'line_jobs';
  ELSE
    INSERT INTO row_changes VALUES
      ('line_jobs', OLD.state, CASE WHEN OLD.task IS NULL THEN '' ELSE 'task' END, ARRAY[lpad((OLD.id >> 12)::text, 16, '0')], -1),
      ('line_jobs', NEW.state, CASE WHEN NEW.task IS NULL THEN '' ELSE 'task' END, ARRAY[lpad((NEW.id >> 12)::text, 16, '0')], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON line_jobs REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_line_jobs();
CREATE TRIGGER rows_removed AFTER DELETE ON line_jobs REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_line_jobs();
CREATE TRIGGER rows_moved AFTER UPDATE ON line_jobs FOR EACH ROW
  WHEN ((OLD.state, OLD.task IS NULL) IS DISTINCT FROM (NEW.state, NEW.task IS NULL)) EXECUTE FUNCTION count_line_jobs();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON line_jobs FOR EACH STATEMENT EXECUTE FUNCTION count_line_jobs();
INSERT INTO row_counts
  SELECT 'line_jobs', way, state, head, CASE way WHEN 0 THEN '' ELSE step END, count(*)
  FROM (SELECT state, CASE WHEN task IS NULL THEN '' ELSE 'task' END AS head, lpad((id >> 12)::text, 16, '0') AS step FROM line_jobs) AS made, generate_series(0, 1) AS way
  GROUP BY 2, 3, 4, 5;

-- What a search finds among lines and invoices leads to its jobs.
CREATE INDEX line_jobs_invoice ON line_jobs (invoice_id) WHERE invoice_id IS NOT NULL;
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX lines_search ON lines USING gin (lower(username) gin_trgm_ops);
  END IF;
END $$;
ANALYZE lines, line_jobs, row_counts;
