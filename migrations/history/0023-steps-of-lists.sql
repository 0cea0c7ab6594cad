-- Beside how many rows a list has, how many lie on each step of the way through it: a page in the middle is reached from its step, not from an end of the list.
-- `sort` is the way, '' for the whole list; `status` and `head` are what a list is filtered by or what a way begins with; steps are in the order of their bytes.
DROP INDEX row_counts_list;
ALTER TABLE row_counts
  ADD sort text NOT NULL DEFAULT '',
  ADD head text NOT NULL DEFAULT '',
  ADD step text COLLATE "C" NOT NULL DEFAULT '';
DELETE FROM row_counts;

DO $$
DECLARE
  counted record;
  adding text;
BEGIN
  FOR counted IN SELECT * FROM (VALUES
    ('users', 'subscription_status, role, username, email, created_at', $keys$
      ('', r.subscription_status, '', ''),
      ('createdAt', r.subscription_status, '', to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')),
      ('username', r.subscription_status, r.role, left(lower(r.username), 3)),
      ('email', r.subscription_status, '', left(lower(r.email), 3))$keys$),
    ('invoices', 'status, amount, invoice_number, created_at', $keys$
      ('', r.status, '', ''),
      ('createdAt', r.status, '', to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')),
      ('amount', r.status, '', lpad(r.amount::text, 8, '0') || ' ' || lpad((r.id >> 16)::text, 5, '0')),
      ('invoiceNumber', r.status, '', left(r.invoice_number, 6))$keys$),
    ('reports', 'status, created_at', $keys$
      ('', r.status, '', ''),
      ('createdAt', r.status, '', to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'))$keys$),
    ('trial_requests', 'status, request_date', $keys$
      ('', r.status, '', ''),
      ('requestDate', r.status, '', to_char(date_trunc('week', r.request_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD'))$keys$),
    ('inquiries', 'status, created_at', $keys$
      ('', r.status, '', ''),
      ('createdAt', r.status, '', to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'))$keys$),
    ('mails', 'status', $keys$
      ('', r.status, '', ''),
      ('createdAt', r.status, '', lpad((r.id >> 12)::text, 16, '0'))$keys$),
    ('audit_log', 'action, target_type, at', $keys$
      ('', r.action, r.target_type, ''),
      ('at', r.action, r.target_type, to_char(date_trunc('week', r.at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'))$keys$)
  ) AS t (list, columns, keys) LOOP
    adding := format('INSERT INTO row_counts (list, sort, status, head, step, rows)
      SELECT %L, k.sort, k.status, k.head, k.step, {rows} FROM {changed} AS r, LATERAL (VALUES %s) AS k (sort, status, head, step) GROUP BY 2, 3, 4, 5', counted.list, counted.keys);
    EXECUTE format('CREATE FUNCTION count_%s() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF TG_OP = ''INSERT'' THEN %s;
        ELSIF TG_OP = ''DELETE'' THEN %s;
        ELSIF TG_OP = ''TRUNCATE'' THEN DELETE FROM row_counts WHERE list = %L;
        ELSE %s HAVING sum(r.difference) <> 0;
        END IF;
        RETURN NULL;
      END $body$', counted.list,
      replace(replace(adding, '{rows}', 'count(*)'), '{changed}', 'changed'),
      replace(replace(adding, '{rows}', '-count(*)'), '{changed}', 'changed'),
      counted.list,
      replace(replace(adding, '{rows}', 'sum(r.difference)'), '{changed}', '(SELECT -1 AS difference, OLD.* UNION ALL SELECT 1, NEW.*)'));
    EXECUTE format('DROP TRIGGER IF EXISTS rows_added ON %1$I; DROP TRIGGER IF EXISTS rows_removed ON %1$I; DROP TRIGGER IF EXISTS rows_moved ON %1$I; DROP TRIGGER IF EXISTS rows_emptied ON %1$I', counted.list);
    EXECUTE format('CREATE TRIGGER rows_added AFTER INSERT ON %1$I REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s()', counted.list);
    EXECUTE format('CREATE TRIGGER rows_removed AFTER DELETE ON %1$I REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s()', counted.list);
    EXECUTE format('CREATE TRIGGER rows_moved AFTER UPDATE ON %1$I FOR EACH ROW WHEN ((%2$s) IS DISTINCT FROM (%3$s)) EXECUTE FUNCTION count_%1$s()', counted.list,
      regexp_replace(counted.columns, '(\w+)', 'OLD.\1', 'g'), regexp_replace(counted.columns, '(\w+)', 'NEW.\1', 'g'));
    EXECUTE format('CREATE TRIGGER rows_emptied AFTER TRUNCATE ON %1$I FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s()', counted.list);
    EXECUTE replace(replace(adding, '{rows}', 'count(*)'), '{changed}', quote_ident(counted.list));
  END LOOP;
END $$;
DROP FUNCTION count_rows();
CREATE INDEX row_counts_list ON row_counts (list, sort, status, head, step) INCLUDE (rows);

-- Text is ordered by its bytes, as the steps are, whatever the database's own order; with what a page is filtered by, no row has to be read to skip it.
DROP INDEX users_by_name;
DROP INDEX users_by_mail;
DROP INDEX users_by_role;
DROP INDEX invoices_by_amount;
DROP INDEX invoices_by_number;
CREATE INDEX users_by_name ON users (lower(username) COLLATE "C", id) INCLUDE (username, subscription_status);
CREATE INDEX users_by_mail ON users (lower(email) COLLATE "C", id) INCLUDE (email, subscription_status);
CREATE INDEX users_by_role ON users (role, lower(username) COLLATE "C", id) INCLUDE (username, subscription_status);
CREATE INDEX invoices_by_amount ON invoices (amount, id) INCLUDE (status);
CREATE INDEX invoices_by_number ON invoices (invoice_number COLLATE "C", id) INCLUDE (status);
ANALYZE users, invoices, row_counts;
