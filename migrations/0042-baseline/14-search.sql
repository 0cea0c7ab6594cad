-- Searching within texts

-- What users are searched by: user name, email address, full name and IPTV user name (`person`), and the user name of their line
-- (`line`). In a table of its own, so that updates of other columns of a user leave these large indexes alone. `person` is written from
-- users and `line` from lines: two transactions that change one each do not overwrite the other's part.
CREATE TABLE user_search (
  user_id integer PRIMARY KEY,
  person text NOT NULL,
  line text,
  search text NOT NULL GENERATED ALWAYS AS (person || coalesce(E'\n' || lower(line), '')) STORED
);

CREATE FUNCTION person_search(username text, email text, full_name text, iptv_username text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(username || ' ' || email || coalesce(E'\n' || full_name, '') || coalesce(E'\n' || iptv_username, ''));

CREATE FUNCTION keep_user_search() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER search_kept AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION keep_user_search();
CREATE TRIGGER search_changed AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.username, OLD.email, OLD.full_name, OLD.iptv_username) IS DISTINCT FROM (NEW.username, NEW.email, NEW.full_name, NEW.iptv_username))
  EXECUTE FUNCTION keep_user_search();
CREATE TRIGGER search_emptied AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION keep_user_search();

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

-- Invoices are found by confirmation code and payment note. The beginning of a note up to its colon is the same for all invoices, and a
-- note that repeats the invoice number is found by the number: neither is in the index.
CREATE FUNCTION payment_search(confirmation_code text, payment_note text, invoice_number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(nullif(coalesce(confirmation_code, '') || coalesce(E'\n' || nullif(regexp_replace(payment_note, '^.*:\s*', ''), invoice_number), ''), ''));

-- Searches of one and two characters
CREATE INDEX user_search_short ON user_search USING gin (short_pieces(search));
CREATE INDEX reports_short ON reports USING gin (short_pieces(lower(content_name)));
CREATE INDEX mails_short ON mails USING gin (short_pieces(lower(recipient)));
-- Inquiries are searched in one text. It joins the columns by line breaks, which no search contains.
CREATE INDEX inquiries_short ON inquiries USING gin (short_pieces(lower(name || E'\n' || email || E'\n' || message)));

-- Searches of three and more characters, by trigrams. Where the server does not have the extension or forbids it, searching scans the
-- table instead.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX user_search_letters ON user_search USING gin (search gin_trgm_ops);
  CREATE INDEX invoices_search ON invoices USING gin (lower(invoice_number) gin_trgm_ops);
  CREATE INDEX invoices_payment_search ON invoices USING gin (payment_search(confirmation_code, payment_note, invoice_number) gin_trgm_ops);
  CREATE INDEX reports_search ON reports USING gin (lower(content_name) gin_trgm_ops);
  CREATE INDEX inquiries_search ON inquiries USING gin (lower(name || E'\n' || email || E'\n' || message) gin_trgm_ops);
  CREATE INDEX mails_search ON mails USING gin (lower(recipient) gin_trgm_ops);
  CREATE INDEX lines_search ON lines USING gin (lower(username) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available (%): searching long lists is slow until it is', SQLERRM;
END $$;
