-- Reading of guide sources: by one process at a time, on request, and from uploaded files.
ALTER TABLE guide_sources
  -- The process that reads the source extends this; after it, another process may read it
  ADD held_until timestamptz,
  -- When an administrator last asked for a reading
  ADD asked_at timestamptz;

-- A channel that an administrator gave no listings is not matched again.
ALTER TABLE channel_guides
  ALTER guide_channel_id DROP NOT NULL,
  ADD CHECK (guide_channel_id IS NOT NULL OR matched = 'hand');

-- Uploaded XMLTV files, in parts. Unlogged, because they can be uploaded again.
CREATE UNLOGGED TABLE guide_uploads (
  id uuid PRIMARY KEY,
  source_id integer NOT NULL REFERENCES guide_sources (id) ON DELETE CASCADE,
  -- How many parts it has; null until all of them have arrived
  parts smallint CHECK (parts > 0),
  is_read boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX guide_uploads_source ON guide_uploads (source_id);

CREATE UNLOGGED TABLE guide_upload_parts (
  upload_id uuid NOT NULL REFERENCES guide_uploads (id) ON DELETE CASCADE,
  part smallint NOT NULL CHECK (part >= 0),
  bytes bytea NOT NULL,
  PRIMARY KEY (upload_id, part)
);

-- From when on programs are kept: one day longer than the longest archive of a channel.
CREATE FUNCTION guide_kept_from() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT now() - make_interval(days => 1 + least(31, coalesce(max(archive_days), 0))) FROM channel_streams
$$;
