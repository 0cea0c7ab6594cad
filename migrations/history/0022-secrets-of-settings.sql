-- What a setting holds that nobody may read again, sealed: the key of the panel that lines are made on
CREATE TABLE setting_secrets (
  name text PRIMARY KEY,
  sealed text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
