-- Users are found by user name, e-mail address, full name, the IPTV user name they entered and the user name of their line.
-- `person` is written from users and `line` from lines: two transactions that change one each do not overwrite the other's part.
DROP INDEX user_search_short;
DROP INDEX IF EXISTS user_search_letters;
DROP TRIGGER search_changed ON users;
ALTER TABLE users DROP COLUMN search;
ALTER TABLE user_search DROP COLUMN search, ADD person text NOT NULL DEFAULT '', ADD line text;

CREATE FUNCTION person_search(username text, email text, full_name text, iptv_username text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(username || ' ' || email || coalesce(E'\n' || full_name, '') || coalesce(E'\n' || iptv_username, ''));

UPDATE user_search SET person = person_search(u.username, u.email, u.full_name, u.iptv_username), line = l.username
  FROM users u LEFT JOIN lines l ON l.user_id = u.id WHERE u.id = user_search.user_id;
ALTER TABLE user_search ALTER person DROP DEFAULT,
  ADD search text NOT NULL GENERATED ALWAYS AS (person || coalesce(E'\n' || lower(line), '')) STORED;

CREATE OR REPLACE FUNCTION keep_user_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM user_search;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM user_search WHERE user_id = OLD.id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO user_search (user_id, person) VALUES (NEW.id, person_search(NEW.username, NEW.email, NEW.full_name, NEW.iptv_username));
  ELSE
    UPDATE user_search SET person = person_search(NEW.username, NEW.email, NEW.full_name, NEW.iptv_username) WHERE user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER search_changed AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.username, OLD.email, OLD.full_name, OLD.iptv_username) IS DISTINCT FROM (NEW.username, NEW.email, NEW.full_name, NEW.iptv_username))
  EXECUTE FUNCTION keep_user_search();

CREATE FUNCTION keep_line_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE user_search SET line = NULL WHERE line IS NOT NULL;
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.username IS NOT NULL AND (TG_OP = 'DELETE' OR OLD.user_id <> NEW.user_id) THEN
    UPDATE user_search SET line = NULL WHERE user_id = OLD.user_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE user_search SET line = NEW.username WHERE user_id = NEW.user_id AND line IS DISTINCT FROM NEW.username;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER search_kept AFTER INSERT OR DELETE ON lines FOR EACH ROW EXECUTE FUNCTION keep_line_search();
CREATE TRIGGER search_changed AFTER UPDATE ON lines FOR EACH ROW
  WHEN ((OLD.user_id, OLD.username) IS DISTINCT FROM (NEW.user_id, NEW.username)) EXECUTE FUNCTION keep_line_search();
CREATE TRIGGER search_emptied AFTER TRUNCATE ON lines FOR EACH STATEMENT EXECUTE FUNCTION keep_line_search();

-- Invoices are found by confirmation code and payment note. What a note begins with up to its colon is the same for all, and a note that
-- repeats the invoice number is found by the number: neither is in the index.
CREATE FUNCTION payment_search(confirmation_code text, payment_note text, invoice_number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(nullif(coalesce(confirmation_code, '') || coalesce(E'\n' || nullif(regexp_replace(payment_note, '^.*:\s*', ''), invoice_number), ''), ''));

CREATE INDEX user_search_short ON user_search USING gin (short_pieces(search));
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX user_search_letters ON user_search USING gin (search gin_trgm_ops);
    CREATE INDEX invoices_payment_search ON invoices USING gin (payment_search(confirmation_code, payment_note, invoice_number) gin_trgm_ops);
  END IF;
END $$;
ANALYZE users, user_search, invoices;
