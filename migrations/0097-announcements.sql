-- Announcements on the site and by email (decision record 088).

-- Since when a user wants emails with news; null for none. Each change is an entry of the audit log.
ALTER TABLE users ADD COLUMN news_since timestamptz;

CREATE TABLE announcements (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('service', 'news')),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 120),
  summary text NOT NULL CHECK (length(summary) BETWEEN 1 AND 240),
  body text NOT NULL CHECK (length(body) <= 5000),
  link_label text NOT NULL DEFAULT '' CHECK (length(link_label) <= 40),
  link_path text NOT NULL DEFAULT '' CHECK (length(link_path) <= 300),
  audience text NOT NULL CHECK (audience IN ('everyone', 'customers', 'active', 'ended', 'never', 'plans')),
  plan_ids integer[] NOT NULL,
  on_site boolean NOT NULL,
  -- Null: until it is withdrawn
  site_until timestamptz,
  -- Its time on the site is over, and the cached pages were renewed
  ended boolean NOT NULL DEFAULT false,
  emails boolean NOT NULL,
  per_hour integer NOT NULL CHECK (per_hour BETWEEN 60 AND 20000),
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'published', 'withdrawn')),
  created_by integer NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  published_by integer REFERENCES users (id),
  published_at timestamptz,
  withdrawn_by integer REFERENCES users (id),
  withdrawn_at timestamptz,
  -- Recipients by what became of the email, counted with each change
  emailed integer NOT NULL DEFAULT 0 CHECK (emailed >= 0),
  skipped integer NOT NULL DEFAULT 0 CHECK (skipped >= 0),
  unsubscribed integer NOT NULL DEFAULT 0 CHECK (unsubscribed >= 0),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT announced_somewhere CHECK (on_site OR emails),
  CONSTRAINT announced_by_an_administrator CHECK ((published_at IS NULL) = (published_by IS NULL)),
  CONSTRAINT announced_when_it_says_so CHECK (state <> 'published' OR published_at IS NOT NULL),
  CONSTRAINT withdrawn_when_it_says_so CHECK ((state = 'withdrawn') = (withdrawn_at IS NOT NULL AND withdrawn_by IS NOT NULL)),
  CONSTRAINT link_with_its_label CHECK ((link_label = '') = (link_path = '')),
  CONSTRAINT plans_of_the_audience CHECK ((audience = 'plans') = (cardinality(plan_ids) > 0))
);
CREATE INDEX announcements_on_site ON announcements (id) WHERE state = 'published' AND on_site AND NOT ended;

-- Who gets an announcement by email: one email for each person.
CREATE TABLE announcement_recipients (
  announcement_id integer NOT NULL REFERENCES announcements (id),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- skipped: no longer wanted, or no longer a customer, when the turn came
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'emailed', 'skipped')),
  -- SHA-256 of the token in the unsubscribe link; null for emails about the service
  token_hash bytea,
  unsubscribed_at timestamptz,
  PRIMARY KEY (announcement_id, user_id)
);
CREATE INDEX announcement_recipients_waiting ON announcement_recipients (announcement_id, user_id) WHERE state = 'waiting';
CREATE INDEX announcement_recipients_user ON announcement_recipients (user_id);
CREATE UNIQUE INDEX announcement_recipients_token ON announcement_recipients (token_hash) WHERE token_hash IS NOT NULL;
