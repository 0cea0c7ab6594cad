-- Watching in the browser is off until an administrator confirms that the operator holds the rights. One row.
CREATE TABLE watching (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- When the statement was confirmed; null while watching is off
  enabled_at timestamptz,
  enabled_by integer REFERENCES users (id) ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 1
);
INSERT INTO watching DEFAULT VALUES;

-- The register of rights: which licensor permits a channel where and when. A channel without a right in force cannot be watched.
CREATE TABLE channel_rights (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- No cascade: a channel with rights is hidden, never deleted.
  channel_id integer NOT NULL REFERENCES channels (id),
  -- Where the licensed signal comes from
  source text NOT NULL CHECK (length(source) BETWEEN 1 AND 120),
  licensor text NOT NULL CHECK (length(licensor) BETWEEN 1 AND 120),
  -- Country codes (ISO 3166-1 alpha-2), separated by commas and sorted, or WORLD
  territories text NOT NULL CHECK (territories ~ '^(WORLD|[A-Z]{2}(,[A-Z]{2}){0,249})$'),
  -- Both days belong to the license. Days begin at midnight UTC.
  valid_from date NOT NULL,
  valid_until date NOT NULL,
  -- The contract: its number, or where it is kept
  document text NOT NULL CHECK (length(document) BETWEEN 1 AND 300),
  created_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CHECK (valid_until >= valid_from)
);
CREATE INDEX channel_rights_channel ON channel_rights (channel_id, valid_until);
CREATE INDEX channel_rights_until ON channel_rights (valid_until, id);
CREATE INDEX channel_rights_created ON channel_rights (created_at, id);
CREATE INDEX channel_rights_licensor ON channel_rights (lower(licensor), id);

-- The channels that are published for watching in the browser.
CREATE TABLE watch_channels (
  channel_id integer PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  published_at timestamptz NOT NULL DEFAULT now()
);

-- What a customer watches. A row that has not ended and was seen in the last 40 seconds uses one connection of the customer.
CREATE TABLE plays (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The session that plays. Sessions are deleted when they end, so there is no foreign key.
  session_id bigint NOT NULL,
  -- Such as `Chrome on Windows`
  device text NOT NULL CHECK (length(device) BETWEEN 1 AND 120),
  channel_id integer NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  -- Increases whenever the play changes its channel: addresses of an earlier generation are refused.
  generation integer NOT NULL DEFAULT 1,
  -- The country that the address of the viewer belongs to; null if unknown
  country text CHECK (country ~ '^[A-Z]{2}$'),
  opened_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- Why it ended, one of the reasons in features/watch/rules.ts
  why text,
  -- The device that took its connection over
  taken_by text,
  CHECK ((ended_at IS NULL) = (why IS NULL))
);
CREATE UNIQUE INDEX plays_open ON plays (session_id) WHERE ended_at IS NULL;
CREATE INDEX plays_user ON plays (user_id, seen_at);
CREATE INDEX plays_seen ON plays (seen_at);
CREATE INDEX plays_channel ON plays (channel_id);
