-- Functions that several tables share

-- Makes a table append-only: a correction is a new row.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;

-- Every character and every pair of neighboring characters of a text. An index of them finds searches of one and two characters,
-- which an index of trigrams (pg_trgm) cannot find.
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
