-- Which installation this database belongs to. Any other installation that opens it, or one that restored it from a backup, calls no panel and
-- sends no mail until an administrator declares it live.
CREATE TABLE installation (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- Where the live installation keeps this database; null until the first start claims it, and after a restore.
  place text,
  -- The host name in its PUBLIC_URL; null while that is not set, or only names a machine.
  address text,
  live_since timestamptz,
  restored_at timestamptz,
  -- The last other installation that opened this database, and when.
  other_address text,
  other_opened_at timestamptz,
  -- When the last backup of this database was written and read back.
  backed_up_at timestamptz,
  CHECK (restored_at IS NULL OR place IS NULL),
  CHECK ((place IS NULL) = (live_since IS NULL))
);
INSERT INTO installation DEFAULT VALUES;
