-- Emails to imported customers, when an administrator asks for them (decision record 080). A job sends them over hours.
ALTER TABLE import_runs ADD COLUMN emails_by integer REFERENCES users (id), ADD COLUMN emails_since timestamptz,
  ADD CONSTRAINT emails_by_somebody CHECK ((emails_since IS NULL) = (emails_by IS NULL));
ALTER TABLE import_rows ADD COLUMN emailed_at timestamptz;
CREATE INDEX import_rows_to_email ON import_rows (run_id, line) WHERE verdict = 'created' AND emailed_at IS NULL;
