-- What an administrator decided to leave as it is stands with the difference itself, so that it is not told again while it stays the same.
ALTER TABLE lines DROP COLUMN kept;
ALTER TABLE line_drift ADD kept boolean NOT NULL DEFAULT false;
