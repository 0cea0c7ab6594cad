-- How far customers watched recordings, to continue there. At most 200 rows for each customer; there is none for those who keep no history.
CREATE TABLE watch_progress (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Catch-up: a program of the archive of a channel
  kind text NOT NULL CHECK (kind = ANY (ARRAY['catchup'])),
  -- The id of the channel and the start of the program as shown to customers, in milliseconds since 1970
  ref text NOT NULL CHECK (ref ~ '^[1-9][0-9]{0,9}-[1-9][0-9]{11,12}$'),
  -- From the start of the program
  position_ms integer NOT NULL CHECK (position_ms >= 0),
  length_ms integer NOT NULL CHECK (length_ms BETWEEN 1 AND 86400000),
  -- Watched to the end, so that it starts over
  done boolean NOT NULL DEFAULT false,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, kind, ref),
  CHECK (position_ms <= length_ms)
);
-- Since when the customer keeps no history of what they watched; null if they keep it.
ALTER TABLE users ADD no_history_since timestamptz;
