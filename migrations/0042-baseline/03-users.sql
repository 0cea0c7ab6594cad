-- Customers and administrators

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL CHECK (username ~ '^[A-Za-z0-9_.-]{3,32}$'),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  email_verified_at timestamptz,
  password_hash text NOT NULL,
  must_change_password boolean NOT NULL DEFAULT false,
  full_name text CHECK (length(full_name) <= 100),
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  plan_id integer REFERENCES plans (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  subscription_status text NOT NULL DEFAULT 'none' CHECK (subscription_status IN ('active', 'pending', 'expired', 'cancelled', 'none')),
  subscription_start_date timestamptz,
  subscription_end_date timestamptz,
  stripe_customer_id text,
  stripe_subscription_id text,
  iptv_username text,
  -- Encrypted ("sealed"), hence the prefix with the version of the format
  iptv_password text CHECK (iptv_password ~ '^v[0-9]+:'),
  iptv_synced boolean NOT NULL DEFAULT false,
  iptv_synced_at timestamptz,
  iptv_max_connections integer CHECK (iptv_max_connections BETWEEN 0 AND 1000),
  referral_code text NOT NULL,
  referred_by integer REFERENCES users (id),
  -- Cents
  account_credit integer NOT NULL DEFAULT 0 CHECK (account_credit >= 0),
  -- The mailbox behind the address: without dots and without what follows a plus. Administrators see several accounts of one mailbox;
  -- they are not refused.
  mailbox text NOT NULL GENERATED ALWAYS AS
    (replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2)) STORED,
  -- Whether the password was checked against the list of guessable ones and is none of them. False also means unknown.
  strong_password boolean NOT NULL DEFAULT false,
  CHECK (subscription_end_date IS NULL OR subscription_start_date IS NULL OR subscription_end_date >= subscription_start_date),
  CHECK (referred_by <> id)
);
CREATE UNIQUE INDEX users_name ON users (lower(username));
CREATE UNIQUE INDEX users_mail ON users (lower(email));
CREATE UNIQUE INDEX users_referral_code ON users (referral_code);
CREATE INDEX users_mailbox ON users (mailbox);
CREATE INDEX users_admins ON users (id) WHERE role = 'admin';
CREATE INDEX users_plan ON users (plan_id) WHERE plan_id IS NOT NULL;
CREATE INDEX users_ending ON users (subscription_end_date) WHERE subscription_status = 'active';

-- The orders of the list of users. The included columns are those of the expressions and of the filter: a page reads the index only.
-- COLLATE "C" orders by bytes, as the buckets of the list counters are ordered, whatever the collation of the database.
CREATE INDEX users_created ON users (created_at, id);
CREATE INDEX users_by_status ON users (subscription_status, created_at, id);
CREATE INDEX users_by_name ON users (lower(username) COLLATE "C", id) INCLUDE (username, subscription_status);
CREATE INDEX users_by_mail ON users (lower(email) COLLATE "C", id) INCLUDE (email, subscription_status);
CREATE INDEX users_by_role ON users (role, lower(username) COLLATE "C", id) INCLUDE (username, subscription_status);
-- Users without an end date come after all others.
CREATE INDEX users_by_end ON users (coalesce(subscription_end_date, 'infinity'), id) INCLUDE (subscription_end_date, subscription_status);

-- Channels that a customer bookmarked. A channel on a watchlist is hidden, never deleted: the reference has no cascade.
CREATE TABLE watchlist (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  channel_id integer NOT NULL REFERENCES channels (id),
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, channel_id)
);
CREATE INDEX watchlist_channel ON watchlist (channel_id);
