-- Where the program guide comes from: addresses of XMLTV files, and uploaded files.
CREATE TABLE guide_sources (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  -- The sealed address, which may contain credentials; null for a source that only takes uploads
  sealed text CHECK (sealed ~ '^v[0-9]+:'),
  -- The time zone of times without an offset
  zone text NOT NULL DEFAULT 'UTC' CHECK (length(zone) BETWEEN 1 AND 60),
  enabled boolean NOT NULL DEFAULT true,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'reading', 'read', 'failed')),
  -- Why the last reading failed, or what it left out
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 300),
  -- Programs and bytes of the file read last
  programs integer NOT NULL DEFAULT 0 CHECK (programs >= 0),
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  -- For conditional requests
  etag text CHECK (length(etag) <= 300),
  last_modified text CHECK (length(last_modified) <= 100),
  -- When the file was last read without an error
  read_at timestamptz,
  -- When the next reading is due; null for a source that only takes uploads
  next_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX guide_sources_name ON guide_sources (lower(name));

-- The channels of each source's files.
CREATE TABLE guide_channels (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id integer NOT NULL REFERENCES guide_sources (id) ON DELETE CASCADE,
  xmltv_id text NOT NULL CHECK (length(xmltv_id) BETWEEN 1 AND 200),
  name text NOT NULL CHECK (length(name) <= 200),
  UNIQUE (source_id, xmltv_id)
);

-- Which listings a channel of the lineup shows.
CREATE TABLE channel_guides (
  channel_id integer PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  guide_channel_id integer NOT NULL REFERENCES guide_channels (id) ON DELETE CASCADE,
  -- How they were matched: by the guide id of the panel, by an equal name, or by an administrator
  matched text NOT NULL CHECK (matched IN ('id', 'name', 'hand')),
  -- Added to the times of the source, for sources that give local time as UTC
  shift_minutes smallint NOT NULL DEFAULT 0 CHECK (shift_minutes BETWEEN -1440 AND 1440)
);
CREATE INDEX channel_guides_guide_channel ON channel_guides (guide_channel_id);

-- What the panel reports about a channel.
CREATE TABLE channel_streams (
  channel_id integer PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  -- The channel's id in XMLTV files; empty if the panel names none
  epg_id text NOT NULL DEFAULT '' CHECK (length(epg_id) <= 200),
  -- How many days back the panel keeps the channel; 0 for none
  archive_days smallint NOT NULL DEFAULT 0 CHECK (archive_days BETWEEN 0 AND 366),
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- The programs of every channel of a source that is matched to the lineup, with the times of the source. Not backed up: the next reading restores them.
CREATE TABLE guide_programs (
  guide_channel_id integer NOT NULL REFERENCES guide_channels (id) ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  subtitle text NOT NULL DEFAULT '' CHECK (length(subtitle) <= 200),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 2000),
  category text NOT NULL DEFAULT '' CHECK (length(category) <= 100),
  season smallint CHECK (season >= 0),
  episode smallint CHECK (episode >= 0),
  -- A first showing
  is_new boolean NOT NULL DEFAULT false,
  PRIMARY KEY (guide_channel_id, starts_at),
  CHECK (ends_at > starts_at AND ends_at <= starts_at + interval '24 hours')
);
CREATE INDEX guide_programs_starts_at ON guide_programs (starts_at);
CREATE INDEX guide_programs_title ON guide_programs USING gin (to_tsvector('simple', title));

-- Programs that customers want to watch or be reminded of. They outlive the listings, so the title is kept.
CREATE TABLE program_marks (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  channel_id integer NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  -- The time shown to the customer
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  on_watchlist boolean NOT NULL DEFAULT false,
  reminder boolean NOT NULL DEFAULT false,
  reminded_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, channel_id, starts_at),
  CHECK (on_watchlist OR reminder)
);
CREATE INDEX program_marks_due ON program_marks (starts_at) WHERE reminder AND reminded_at IS NULL;
CREATE INDEX program_marks_channel ON program_marks (channel_id);
