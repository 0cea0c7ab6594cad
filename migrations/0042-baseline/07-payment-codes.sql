-- Comparing the confirmation codes of payments (decision record 035)

-- Codes are compared across payment methods in a folded form: upper case, letters and digits only, and one character for those that
-- look alike (0 O, 1 I L, 2 Z, 5 S, 8 B). A code without any ASCII letter or digit is compared unchanged.
CREATE FUNCTION folded_code(code text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN coalesce(nullif(translate(regexp_replace(upper(normalize(code, NFKC) COLLATE "C"), '[^A-Z0-9]', '', 'g'), 'OILZSB', '011258'), ''), code);

-- A code is cut into four parts. Each key is a hash of the code without one of its parts. One edit (a character inserted, deleted or
-- replaced, or two neighbors exchanged) changes one part only, so two codes that are one edit apart have a key in common once both are
-- cut at the same positions: those of a code with `of_length` characters. Codes of fewer than six characters have no keys: too many of
-- them are one edit apart by chance.
CREATE FUNCTION code_keys(folded text, of_length integer) RETURNS integer[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
  RETURN CASE WHEN least(length(folded), of_length) >= 6 THEN
    ARRAY(SELECT hashtext(of_length || ':' || part || ':' || left(folded, of_length * part / 4) || right(folded, of_length - of_length * (part + 1) / 4))
      FROM generate_series(0, 3) AS part)
  ELSE '{}' END;

-- The keys that a code one edit away may have: it is one shorter, as long or one longer, or two neighbors are exchanged where two
-- parts meet.
CREATE FUNCTION keys_near(folded text) RETURNS integer[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
  RETURN code_keys(folded, length(folded) - 1) || code_keys(folded, length(folded)) || code_keys(folded, length(folded) + 1) || ARRAY(
    SELECT (code_keys(left(folded, cut - 1) || reverse(substr(folded, cut, 2)) || substr(folded, cut + 2), length(folded)))[1]
    FROM generate_series(1, 3) AS part, LATERAL (SELECT length(folded) * part / 4) AS meeting (cut) WHERE length(folded) >= 6);

-- Whether two folded codes differ by exactly one edit
CREATE FUNCTION is_one_edit(a text, b text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
DECLARE
  i integer := 1;
BEGIN
  IF a = b OR abs(length(a) - length(b)) > 1 THEN
    RETURN false;
  END IF;
  WHILE substr(a, i, 1) = substr(b, i, 1) LOOP
    i := i + 1;
  END LOOP;
  RETURN substr(a, i + 1) = substr(b, i + 1) OR substr(a, i + 1) = substr(b, i) OR substr(a, i) = substr(b, i + 1)
    OR (substr(a, i, 2) = reverse(substr(b, i, 2)) AND substr(a, i + 2) = substr(b, i + 2));
END $$;

-- The folded code of each invoice, in a table of its own: an update of an invoice that keeps its code does not touch these indexes.
CREATE TABLE payment_codes (
  invoice_id integer PRIMARY KEY REFERENCES invoices (id) ON DELETE CASCADE,
  folded text NOT NULL
);
CREATE INDEX payment_codes_folded ON payment_codes (folded, invoice_id);
-- fastupdate = off: every search would have to read the list of pending entries.
CREATE INDEX payment_codes_keys ON payment_codes USING gin (code_keys(folded, length(folded))) WITH (fastupdate = off);

CREATE FUNCTION keep_payment_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.confirmation_code IS NULL THEN
    DELETE FROM payment_codes WHERE invoice_id = NEW.id;
  ELSE
    INSERT INTO payment_codes VALUES (NEW.id, folded_code(NEW.confirmation_code))
      ON CONFLICT (invoice_id) DO UPDATE SET folded = excluded.folded WHERE payment_codes.folded <> excluded.folded;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER code_given AFTER INSERT ON invoices FOR EACH ROW WHEN (NEW.confirmation_code IS NOT NULL) EXECUTE FUNCTION keep_payment_code();
CREATE TRIGGER code_changed AFTER UPDATE OF confirmation_code ON invoices FOR EACH ROW
  WHEN (OLD.confirmation_code IS DISTINCT FROM NEW.confirmation_code) EXECUTE FUNCTION keep_payment_code();
