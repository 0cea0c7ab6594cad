-- All images that the site shows, in one table: uploaded ones, and the logos that a panel names for its channels.
CREATE TABLE images (
  -- SHA-256 of the bytes
  hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
  type text NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 1048576),
  -- Pixels; null for logos that were stored before this table existed
  width integer CHECK (width > 0),
  height integer CHECK (height > 0),
  -- When it was stored last. An image that nothing shows is removed some time later.
  stored_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE images ALTER COLUMN bytes SET STORAGE EXTERNAL;

INSERT INTO images (hash, type, bytes)
  SELECT DISTINCT ON (hash) hash, type, bytes FROM channel_logos WHERE hash IS NOT NULL ORDER BY hash, channel_id;
UPDATE channels SET logo = '/images/' || images.hash || '.' || substring(images.type from 7), version = version + 1
  FROM images WHERE channels.logo = '/api/channel-logos/' || images.hash;

-- Dropping the columns also drops the checks that mention them.
ALTER TABLE channel_logos DROP COLUMN bytes, DROP COLUMN type,
  ADD CHECK ((state = 'kept') = (hash IS NOT NULL)),
  ADD FOREIGN KEY (hash) REFERENCES images (hash);
