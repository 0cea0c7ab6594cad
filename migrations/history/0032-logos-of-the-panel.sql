-- Pictures that the panel names for its channels, fetched once and told from here. `source` is where one lies; what could not be used says why.
CREATE TABLE channel_logos (
  channel_id integer PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  source text NOT NULL CHECK (length(source) <= 1000),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'kept', 'failed')),
  type text CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  hash text CHECK (hash ~ '^[0-9a-f]{64}$'),
  bytes bytea CHECK (octet_length(bytes) <= 131072),
  failure text,
  asked_at timestamptz,
  CHECK ((state = 'kept') = (bytes IS NOT NULL)),
  CHECK ((bytes IS NULL) = (hash IS NULL) AND (bytes IS NULL) = (type IS NULL))
);
CREATE INDEX channel_logos_waiting ON channel_logos (channel_id) WHERE state = 'waiting';
CREATE INDEX channel_logos_hash ON channel_logos (hash) WHERE hash IS NOT NULL;
