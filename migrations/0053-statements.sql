-- Uploaded statements, and which lines told of which payment. A statement that was uploaded by mistake can be withdrawn.

-- A payment fact does not change. A withdrawn one stays as a row, without case and identity, so that its line may be booked again.
ALTER TABLE payments ADD COLUMN withdrawn_at timestamptz,
  ADD CONSTRAINT only_a_statement_is_withdrawn CHECK (withdrawn_at IS NULL OR source = 'statement');
DROP INDEX one_payment_a_reference, one_payment_a_line;
CREATE UNIQUE INDEX one_payment_a_reference ON payments (rail, account, direction, provider_reference)
  WHERE provider_reference IS NOT NULL AND withdrawn_at IS NULL;
CREATE UNIQUE INDEX one_payment_a_line ON payments (rail, account, direction, fallback_key, occurrence)
  WHERE provider_reference IS NULL AND withdrawn_at IS NULL;
-- Payments that a line of another source may be
CREATE INDEX payments_alike ON payments (rail, amount, paid_on) WHERE withdrawn_at IS NULL;

DROP TRIGGER payments_append_only ON payments;
CREATE TRIGGER payments_append_only BEFORE DELETE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_payment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL AND to_jsonb(NEW) - 'withdrawn_at' = to_jsonb(OLD) - 'withdrawn_at'
    AND NOT EXISTS (SELECT FROM payment_cases WHERE payment_id = OLD.id) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'payments is append-only';
END $$;
CREATE TRIGGER payments_only_withdrawn BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION refuse_payment_change();

-- A file that was booked. The counts are lines of the file.
CREATE TABLE statement_files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  format text NOT NULL,
  account text CHECK (length(account) <= 200),
  new_lines integer NOT NULL CHECK (new_lines >= 0),
  known_lines integer NOT NULL CHECK (known_lines >= 0),
  skipped_lines integer NOT NULL CHECK (skipped_lines >= 0),
  unreadable_lines integer NOT NULL CHECK (unreadable_lines >= 0),
  new_cents bigint NOT NULL CHECK (new_cents >= 0),
  uploaded_by integer NOT NULL REFERENCES users (id),
  uploaded_at timestamptz NOT NULL DEFAULT now(),
  withdrawn_by integer REFERENCES users (id),
  withdrawn_at timestamptz,
  CONSTRAINT withdrawn_by_somebody CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL))
);
CREATE UNIQUE INDEX one_statement_a_file ON statement_files (sha256) WHERE withdrawn_at IS NULL;

-- The line of a statement that told of a payment. Rows of a withdrawn statement are deleted.
CREATE TABLE payment_receipts (
  file_id integer NOT NULL REFERENCES statement_files (id),
  source_key text NOT NULL,
  payment_id bigint NOT NULL REFERENCES payments (id),
  line integer NOT NULL CHECK (line >= 1),
  PRIMARY KEY (file_id, source_key)
);
CREATE INDEX payment_receipts_payment ON payment_receipts (payment_id);

-- The columns of tables whose format is not known, as a person named them
CREATE TABLE statement_mappings (
  signature bytea PRIMARY KEY CHECK (length(signature) = 32),
  mapping jsonb NOT NULL,
  saved_by integer NOT NULL REFERENCES users (id),
  saved_at timestamptz NOT NULL DEFAULT now()
);
