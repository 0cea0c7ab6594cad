-- What a panel does with a line that has no connection left, and when that was last seen.
ALTER TABLE stream_panels
  ADD over_limit text NOT NULL DEFAULT 'unknown' CHECK (over_limit IN ('closes_oldest', 'refuses', 'unknown')),
  ADD over_limit_at timestamptz,
  ADD CHECK ((over_limit = 'unknown') = (over_limit_at IS NULL));
