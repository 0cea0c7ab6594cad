-- What is sold and shown. `version` counts the edits of a row, so that an edit of an outdated version is refused.

CREATE TABLE plans (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 3 AND 120),
  tier integer NOT NULL CHECK (tier BETWEEN 1 AND 4),
  months integer NOT NULL CHECK (months BETWEEN 1 AND 60),
  connections integer NOT NULL CHECK (connections BETWEEN 1 AND 100),
  -- Cents
  price integer NOT NULL CHECK (price BETWEEN 0 AND 10000000),
  billing text NOT NULL,
  features jsonb NOT NULL CHECK (jsonb_typeof(features) = 'array'),
  popular boolean NOT NULL DEFAULT false,
  hidden boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT popular_is_on_sale CHECK (NOT (popular AND hidden))
);
CREATE UNIQUE INDEX one_popular_plan_a_tier ON plans (tier) WHERE popular;
-- A plan that was sold is hidden, never deleted. Its successor has the same name, so names are not unique.
CREATE UNIQUE INDEX one_plan_on_sale ON plans (tier, connections) WHERE NOT hidden;

CREATE TABLE channels (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  category text NOT NULL CHECK (category IN ('entertainment', 'movies', 'sports', 'nba_teams', 'nfl_teams', 'nhl_teams', 'soccer', 'news', 'kids', 'international')),
  logo text NOT NULL,
  preview_url text,
  featured boolean NOT NULL DEFAULT false,
  hidden boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  -- The panel's stream that this channel was imported from, so that the next import recognizes it.
  panel_stream text CHECK (length(panel_stream) BETWEEN 1 AND 64),
  UNIQUE (category, name)
);
CREATE UNIQUE INDEX one_channel_a_stream ON channels (panel_stream) WHERE panel_stream IS NOT NULL;

-- Logos that the panel names for its channels, downloaded once and served from here.
CREATE TABLE channel_logos (
  channel_id integer PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  -- The URL to download from
  source text NOT NULL CHECK (length(source) <= 1000),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'kept', 'failed')),
  type text CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  hash text CHECK (hash ~ '^[0-9a-f]{64}$'),
  bytes bytea CHECK (octet_length(bytes) <= 131072),
  -- Why the picture could not be used
  failure text,
  asked_at timestamptz,
  CHECK ((state = 'kept') = (bytes IS NOT NULL)),
  CHECK ((bytes IS NULL) = (hash IS NULL) AND (bytes IS NULL) = (type IS NULL))
);
CREATE INDEX channel_logos_waiting ON channel_logos (channel_id) WHERE state = 'waiting';
CREATE INDEX channel_logos_hash ON channel_logos (hash) WHERE hash IS NOT NULL;

CREATE TABLE device_categories (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  icon text NOT NULL,
  devices jsonb NOT NULL CHECK (jsonb_typeof(devices) = 'array'),
  position integer NOT NULL DEFAULT 0,
  hidden boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1
);

CREATE TABLE faqs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  question text NOT NULL UNIQUE,
  answer text NOT NULL,
  "order" integer NOT NULL DEFAULT 0,
  hidden boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1
);
