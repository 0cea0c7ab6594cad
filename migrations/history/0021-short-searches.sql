-- One and two letters, which the indexes of three cannot find: every letter and every pair of a text
CREATE FUNCTION short_pieces(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 500 AS $$
DECLARE
  letters text[] := string_to_array(value, NULL);
  pieces text[] := letters;
BEGIN
  FOR i IN 2 .. cardinality(letters) LOOP
    pieces := pieces || (letters[i - 1] || letters[i]);
  END LOOP;
  RETURN pieces;
END $$;

CREATE INDEX users_short ON users USING gin (short_pieces(search));
CREATE INDEX reports_short ON reports USING gin (short_pieces(lower(content_name)));
CREATE INDEX mails_short ON mails USING gin (short_pieces(lower(recipient)));
-- All that is searched of an inquiry is one text; its line breaks are in no search.
CREATE INDEX inquiries_short ON inquiries USING gin (short_pieces(lower(name || E'\n' || email || E'\n' || message)));
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX inquiries_search ON inquiries USING gin (lower(name || E'\n' || email || E'\n' || message) gin_trgm_ops);
  END IF;
END $$;

-- Which pieces are common decides how a search is made; that is known after a look.
ANALYZE users, reports, mails, inquiries;
