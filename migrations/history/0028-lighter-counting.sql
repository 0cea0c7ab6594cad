-- A change of a list is one row that names its steps on every way; the job that adds up takes it apart. `row_counts` has one row a step, 0 is the whole list.
CREATE TABLE row_changes (
  list text NOT NULL,
  status text NOT NULL,
  head text NOT NULL,
  steps text[] NOT NULL,
  rows bigint NOT NULL
);
CREATE INDEX row_changes_list ON row_changes (list, status);
DROP TABLE row_counts;
CREATE TABLE row_counts (
  list text NOT NULL,
  way integer NOT NULL,
  status text NOT NULL,
  head text NOT NULL,
  step text COLLATE "C" NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (list, way, status, head, step)
) WITH (fillfactor = 70);

DO $$
DECLARE
  counted record;
  adding text;
BEGIN
  FOR counted IN SELECT * FROM (VALUES
    ('users', $keys$r.subscription_status, r.role, ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'), left(lower(r.username), 3), left(lower(r.email), 3),
      coalesce(to_char(date_trunc('week', r.subscription_end_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD'), 'none ' || lpad((r.id >> 14)::text, 6, '0'))]$keys$),
    ('invoices', $keys$r.status, '', ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'), lpad(r.amount::text, 8, '0') || ' ' || lpad((r.id >> 16)::text, 5, '0'), left(r.invoice_number, 6)]$keys$),
    ('reports', $keys$r.status, '', ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')]$keys$),
    ('trial_requests', $keys$r.status, '', ARRAY[to_char(date_trunc('week', r.request_date AT TIME ZONE 'UTC'), 'YYYY-MM-DD')]$keys$),
    ('inquiries', $keys$r.status, '', ARRAY[to_char(date_trunc('week', r.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')]$keys$),
    ('mails', $keys$r.status, '', ARRAY[lpad((r.id >> 12)::text, 16, '0')]$keys$),
    ('audit_log', $keys$r.action, r.target_type, ARRAY[to_char(date_trunc('week', r.at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')]$keys$)
  ) AS t (list, keys) LOOP
    adding := format('INSERT INTO row_changes SELECT %L, %s, {rows} FROM changed AS r GROUP BY 2, 3, 4', counted.list, counted.keys);
    EXECUTE format('CREATE OR REPLACE FUNCTION count_%s() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF TG_OP = ''INSERT'' THEN %s;
        ELSIF TG_OP = ''DELETE'' THEN %s;
        ELSIF TG_OP = ''TRUNCATE'' THEN
          DELETE FROM row_counts WHERE list = %L;
          DELETE FROM row_changes WHERE list = %4$L;
        ELSE INSERT INTO row_changes VALUES (%4$L, %5$s, -1), (%4$L, %6$s, 1);
        END IF;
        RETURN NULL;
      END $body$', counted.list, replace(adding, '{rows}', 'count(*)'), replace(adding, '{rows}', '-count(*)'), counted.list,
      replace(counted.keys, 'r.', 'OLD.'), replace(counted.keys, 'r.', 'NEW.'));
    EXECUTE format('INSERT INTO row_counts SELECT %L, way, status, head, CASE way WHEN 0 THEN '''' ELSE steps[way] END, count(*)
      FROM (SELECT %s FROM %I AS r) AS made (status, head, steps), LATERAL generate_series(0, cardinality(steps)) AS way GROUP BY 2, 3, 4, 5', counted.list, counted.keys, counted.list);
  END LOOP;
END $$;

DROP TRIGGER rows_moved ON users;
CREATE TRIGGER rows_moved AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.subscription_status, OLD.role, OLD.username, OLD.email, OLD.created_at, OLD.subscription_end_date)
    IS DISTINCT FROM (NEW.subscription_status, NEW.role, NEW.username, NEW.email, NEW.created_at, NEW.subscription_end_date))
  EXECUTE FUNCTION count_users();
DROP INDEX users_by_end;
CREATE INDEX users_by_end ON users (coalesce(subscription_end_date, 'infinity'), id) INCLUDE (subscription_end_date, subscription_status);

-- What users are searched by stands beside them: whatever else changes of a user, the large indexes of letters stay as they are.
CREATE TABLE user_search (
  user_id integer PRIMARY KEY,
  search text NOT NULL
);
CREATE FUNCTION keep_user_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM user_search;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM user_search WHERE user_id = OLD.id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO user_search VALUES (NEW.id, NEW.search);
  ELSE
    UPDATE user_search SET search = NEW.search WHERE user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER search_kept AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION keep_user_search();
CREATE TRIGGER search_changed AFTER UPDATE ON users FOR EACH ROW WHEN (OLD.search <> NEW.search) EXECUTE FUNCTION keep_user_search();
CREATE TRIGGER search_emptied AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION keep_user_search();
INSERT INTO user_search SELECT id, search FROM users;
DROP INDEX IF EXISTS users_search;
DROP INDEX users_short;
CREATE INDEX user_search_short ON user_search USING gin (short_pieces(search));
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX user_search_letters ON user_search USING gin (search gin_trgm_ops);
  END IF;
END $$;
ANALYZE users, user_search, row_counts, row_changes;
