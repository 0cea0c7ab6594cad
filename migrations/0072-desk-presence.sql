-- The page and the item that each administrator has open. Unlogged: after a crash it fills itself within a minute
CREATE UNLOGGED TABLE desk_presence (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  path text NOT NULL CHECK (length(path) BETWEEN 1 AND 200),
  seen_at timestamptz NOT NULL DEFAULT now(),
  item text CHECK (item ~ '^[a-z]{3,20}:[0-9]{1,10}$'),
  item_seen_at timestamptz,
  CHECK ((item IS NULL) = (item_seen_at IS NULL))
);
