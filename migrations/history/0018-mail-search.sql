-- The mail log searches within addresses; an index of their beginnings does not help there.
DROP INDEX mails_recipient;
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX mails_search ON mails USING gin (lower(recipient) gin_trgm_ops);
  END IF;
END $$;
