-- Searching within names: an index of three letters each. Where the server has no such extension, or forbids it, searching reads the table instead.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX users_search ON users USING gin (search gin_trgm_ops);
  CREATE INDEX invoices_search ON invoices USING gin (lower(invoice_number) gin_trgm_ops);
  CREATE INDEX reports_search ON reports USING gin (lower(content_name) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available (%): searching long lists is slow until it is', SQLERRM;
END $$;

-- What lists are ordered by, with all a page needs to be found without touching rows: the included columns are what the expressions are made of.
CREATE INDEX users_by_name ON users (lower(username), id) INCLUDE (username);
CREATE INDEX users_by_mail ON users (lower(email), id) INCLUDE (email);
CREATE INDEX users_by_role ON users (role, lower(username), id) INCLUDE (username);
CREATE INDEX users_by_status ON users (subscription_status, created_at, id);
CREATE INDEX invoices_by_amount ON invoices (amount, id);
CREATE INDEX invoices_by_number ON invoices (invoice_number, id);

-- How many rows a list has, by status. Changes are added as rows, so that no two transactions wait for each other; a job adds them up.
CREATE TABLE row_counts (
  list text NOT NULL,
  status text NOT NULL,
  rows bigint NOT NULL
);
CREATE INDEX row_counts_list ON row_counts (list, status);

CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    EXECUTE format('INSERT INTO row_counts SELECT %L, %I, count(*) FROM changed GROUP BY 2', TG_TABLE_NAME, TG_ARGV[0]);
  ELSIF TG_OP = 'DELETE' THEN
    EXECUTE format('INSERT INTO row_counts SELECT %L, %I, -count(*) FROM changed GROUP BY 2', TG_TABLE_NAME, TG_ARGV[0]);
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM row_counts WHERE list = TG_TABLE_NAME;
  ELSE
    EXECUTE format('INSERT INTO row_counts VALUES (%1$L, $1.%2$I, -1), (%1$L, $2.%2$I, 1)', TG_TABLE_NAME, TG_ARGV[0]) USING OLD, NEW;
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE
  counted record;
BEGIN
  FOR counted IN SELECT * FROM (VALUES ('users', 'subscription_status'), ('invoices', 'status'), ('reports', 'status'), ('trial_requests', 'status'), ('inquiries', 'status')) AS t (list, status) LOOP
    EXECUTE format('CREATE TRIGGER rows_added AFTER INSERT ON %I REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows(%L)', counted.list, counted.status);
    EXECUTE format('CREATE TRIGGER rows_removed AFTER DELETE ON %I REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows(%L)', counted.list, counted.status);
    EXECUTE format('CREATE TRIGGER rows_moved AFTER UPDATE ON %1$I FOR EACH ROW WHEN (OLD.%2$I <> NEW.%2$I) EXECUTE FUNCTION count_rows(%2$L)', counted.list, counted.status);
    EXECUTE format('CREATE TRIGGER rows_emptied AFTER TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION count_rows()', counted.list);
    EXECUTE format('INSERT INTO row_counts SELECT %1$L, %2$I, count(*) FROM %1$I GROUP BY 2', counted.list, counted.status);
  END LOOP;
END $$;
