-- How many rows a list has, by status and by buckets of its sort keys, so that a total needs no count and a page in the middle of a long
-- list is found without reading the rows before it. docs/lists.md explains it with a drawing.
--
-- A change of a list is inserted into row_changes, so that no two transactions wait for each other. A job adds the changes up into
-- row_counts; a total is the sum over both tables.
--   list    the table
--   status  what the list is filtered by
--   head    what a sort orders by before its own key, or a second filter
--   steps   the bucket of the row in each sort of the list, in the order of `way`
--   rows    how many rows came (+) or left (-)
CREATE TABLE row_changes (
  list text NOT NULL,
  status text NOT NULL,
  head text NOT NULL,
  steps text[] NOT NULL,
  rows bigint NOT NULL
);
CREATE INDEX row_changes_list ON row_changes (list, status);

--   way   the number of the sort, from 1; 0 counts the whole list
--   step  the bucket, in the order of its bytes; '' for the whole list
-- A fill factor below 100 leaves space for updated rows on their pages.
CREATE TABLE row_counts (
  list text NOT NULL,
  way integer NOT NULL,
  status text NOT NULL,
  head text NOT NULL,
  step text COLLATE "C" NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (list, way, status, head, step)
) WITH (fillfactor = 70);

-- One trigger function for each list, all of the same form: rows_added and rows_removed count the rows of a statement, rows_moved a row
-- that changed its status, head or bucket, and rows_emptied a TRUNCATE. Below the name of each list are its sorts with their buckets.

-- users
--   1 createdAt: the week of the registration
--   2 username: its first three characters, also for the order by role (`head`)
--   3 email: its first three characters
--   4 subscriptionEndDate: the week of the end; users without an end come last, 16,384 ids a bucket
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'users', r.subscription_status, r.role, ARRAY[
        to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        left(lower(r.username), 3),
        left(lower(r.email), 3),
        coalesce(to_char(date_trunc('week', r.subscription_end_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD'), 'none ' || lpad((r.id >> 14)::text, 6, '0'))
      ], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'users', r.subscription_status, r.role, ARRAY[
        to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        left(lower(r.username), 3),
        left(lower(r.email), 3),
        coalesce(to_char(date_trunc('week', r.subscription_end_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD'), 'none ' || lpad((r.id >> 14)::text, 6, '0'))
      ], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'users';
    DELETE FROM row_changes WHERE list = 'users';
  ELSE
    INSERT INTO row_changes VALUES
      ('users', OLD.subscription_status, OLD.role, ARRAY[
        to_char(date_trunc('week', OLD.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        left(lower(OLD.username), 3),
        left(lower(OLD.email), 3),
        coalesce(to_char(date_trunc('week', OLD.subscription_end_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD'), 'none ' || lpad((OLD.id >> 14)::text, 6, '0'))
      ], -1),
      ('users', NEW.subscription_status, NEW.role, ARRAY[
        to_char(date_trunc('week', NEW.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        left(lower(NEW.username), 3),
        left(lower(NEW.email), 3),
        coalesce(to_char(date_trunc('week', NEW.subscription_end_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD'), 'none ' || lpad((NEW.id >> 14)::text, 6, '0'))
      ], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users();
CREATE TRIGGER rows_removed AFTER DELETE ON users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users();
CREATE TRIGGER rows_moved AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.subscription_status, OLD.role, OLD.username, OLD.email, OLD.created_at, OLD.subscription_end_date)
    IS DISTINCT FROM (NEW.subscription_status, NEW.role, NEW.username, NEW.email, NEW.created_at, NEW.subscription_end_date))
  EXECUTE FUNCTION count_users();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION count_users();

-- invoices
--   1 createdAt: the week
--   2 amount: the cents, and 65,536 ids a bucket, since many invoices have the same amount
--   3 invoiceNumber: its first six characters
CREATE FUNCTION count_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'invoices', r.status, '', ARRAY[
        to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        lpad(r.amount::text, 8, '0') || ' ' || lpad((r.id >> 16)::text, 5, '0'),
        left(r.invoice_number, 6)
      ], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'invoices', r.status, '', ARRAY[
        to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        lpad(r.amount::text, 8, '0') || ' ' || lpad((r.id >> 16)::text, 5, '0'),
        left(r.invoice_number, 6)
      ], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'invoices';
    DELETE FROM row_changes WHERE list = 'invoices';
  ELSE
    INSERT INTO row_changes VALUES
      ('invoices', OLD.status, '', ARRAY[
        to_char(date_trunc('week', OLD.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        lpad(OLD.amount::text, 8, '0') || ' ' || lpad((OLD.id >> 16)::text, 5, '0'),
        left(OLD.invoice_number, 6)
      ], -1),
      ('invoices', NEW.status, '', ARRAY[
        to_char(date_trunc('week', NEW.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'),
        lpad(NEW.amount::text, 8, '0') || ' ' || lpad((NEW.id >> 16)::text, 5, '0'),
        left(NEW.invoice_number, 6)
      ], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();
CREATE TRIGGER rows_removed AFTER DELETE ON invoices REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();
CREATE TRIGGER rows_moved AFTER UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.status, OLD.amount, OLD.invoice_number, OLD.created_at)
    IS DISTINCT FROM (NEW.status, NEW.amount, NEW.invoice_number, NEW.created_at))
  EXECUTE FUNCTION count_invoices();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();

-- reports
--   1 createdAt: the week
CREATE FUNCTION count_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'reports', r.status, '', ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'reports', r.status, '', ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'reports';
    DELETE FROM row_changes WHERE list = 'reports';
  ELSE
    INSERT INTO row_changes VALUES
      ('reports', OLD.status, '', ARRAY[to_char(date_trunc('week', OLD.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -1),
      ('reports', NEW.status, '', ARRAY[to_char(date_trunc('week', NEW.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON reports REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_reports();
CREATE TRIGGER rows_removed AFTER DELETE ON reports REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_reports();
CREATE TRIGGER rows_moved AFTER UPDATE ON reports FOR EACH ROW
  WHEN ((OLD.status, OLD.created_at) IS DISTINCT FROM (NEW.status, NEW.created_at)) EXECUTE FUNCTION count_reports();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON reports FOR EACH STATEMENT EXECUTE FUNCTION count_reports();

-- trial_requests
--   1 requestDate: the week
CREATE FUNCTION count_trial_requests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'trial_requests', r.status, '', ARRAY[to_char(date_trunc('week', r.request_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'trial_requests', r.status, '', ARRAY[to_char(date_trunc('week', r.request_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'trial_requests';
    DELETE FROM row_changes WHERE list = 'trial_requests';
  ELSE
    INSERT INTO row_changes VALUES
      ('trial_requests', OLD.status, '', ARRAY[to_char(date_trunc('week', OLD.request_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -1),
      ('trial_requests', NEW.status, '', ARRAY[to_char(date_trunc('week', NEW.request_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON trial_requests REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_trial_requests();
CREATE TRIGGER rows_removed AFTER DELETE ON trial_requests REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_trial_requests();
CREATE TRIGGER rows_moved AFTER UPDATE ON trial_requests FOR EACH ROW
  WHEN ((OLD.status, OLD.request_date) IS DISTINCT FROM (NEW.status, NEW.request_date)) EXECUTE FUNCTION count_trial_requests();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON trial_requests FOR EACH STATEMENT EXECUTE FUNCTION count_trial_requests();

-- inquiries
--   1 createdAt: the week
CREATE FUNCTION count_inquiries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'inquiries', r.status, '', ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'inquiries', r.status, '', ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'inquiries';
    DELETE FROM row_changes WHERE list = 'inquiries';
  ELSE
    INSERT INTO row_changes VALUES
      ('inquiries', OLD.status, '', ARRAY[to_char(date_trunc('week', OLD.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -1),
      ('inquiries', NEW.status, '', ARRAY[to_char(date_trunc('week', NEW.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON inquiries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_inquiries();
CREATE TRIGGER rows_removed AFTER DELETE ON inquiries REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_inquiries();
CREATE TRIGGER rows_moved AFTER UPDATE ON inquiries FOR EACH ROW
  WHEN ((OLD.status, OLD.created_at) IS DISTINCT FROM (NEW.status, NEW.created_at)) EXECUTE FUNCTION count_inquiries();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON inquiries FOR EACH STATEMENT EXECUTE FUNCTION count_inquiries();

-- mails
--   1 createdAt: 4,096 ids a bucket, since mails are ordered by their id
CREATE FUNCTION count_mails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'mails', r.status, '', ARRAY[lpad((r.id >> 12)::text, 16, '0')], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'mails', r.status, '', ARRAY[lpad((r.id >> 12)::text, 16, '0')], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'mails';
    DELETE FROM row_changes WHERE list = 'mails';
  ELSE
    INSERT INTO row_changes VALUES
      ('mails', OLD.status, '', ARRAY[lpad((OLD.id >> 12)::text, 16, '0')], -1),
      ('mails', NEW.status, '', ARRAY[lpad((NEW.id >> 12)::text, 16, '0')], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON mails REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_mails();
CREATE TRIGGER rows_removed AFTER DELETE ON mails REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_mails();
CREATE TRIGGER rows_moved AFTER UPDATE ON mails FOR EACH ROW
  WHEN ((OLD.status) IS DISTINCT FROM (NEW.status)) EXECUTE FUNCTION count_mails();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON mails FOR EACH STATEMENT EXECUTE FUNCTION count_mails();

-- audit_log
--   1 at: the week. `status` is the action, `head` the type of the target
CREATE FUNCTION count_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_changes
      SELECT 'audit_log', r.action, r.target_type, ARRAY[to_char(date_trunc('week', r.at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'audit_log', r.action, r.target_type, ARRAY[to_char(date_trunc('week', r.at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -count(*)
      FROM changed AS r GROUP BY 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = 'audit_log';
    DELETE FROM row_changes WHERE list = 'audit_log';
  ELSE
    INSERT INTO row_changes VALUES
      ('audit_log', OLD.action, OLD.target_type, ARRAY[to_char(date_trunc('week', OLD.at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], -1),
      ('audit_log', NEW.action, NEW.target_type, ARRAY[to_char(date_trunc('week', NEW.at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')], 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rows_added AFTER INSERT ON audit_log REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_audit_log();
CREATE TRIGGER rows_removed AFTER DELETE ON audit_log REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_audit_log();
CREATE TRIGGER rows_moved AFTER UPDATE ON audit_log FOR EACH ROW
  WHEN ((OLD.action, OLD.target_type, OLD.at) IS DISTINCT FROM (NEW.action, NEW.target_type, NEW.at)) EXECUTE FUNCTION count_audit_log();
CREATE TRIGGER rows_emptied AFTER TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION count_audit_log();

-- line_jobs
--   1 createdAt: 4,096 ids a bucket, since jobs are ordered by their id. `head` is 'task' while a job waits for an administrator.
CREATE FUNCTION count_line_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR TG_OP = 'DELETE' THEN
    INSERT INTO row_changes
      SELECT 'line_jobs', r.state, CASE WHEN r.task IS NULL THEN '' ELSE 'task' END, ARRAY[lpad((r.id >> 12)::text, 16, '0')],
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
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
