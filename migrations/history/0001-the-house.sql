-- Users and who is signed in
CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL CHECK (username ~ '^[A-Za-z0-9_.-]{3,32}$'),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  email_verified_at timestamptz,
  password_hash text NOT NULL,
  must_change_password boolean NOT NULL DEFAULT false,
  full_name text CHECK (length(full_name) <= 100),
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  plan_id integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  subscription_status text NOT NULL DEFAULT 'none' CHECK (subscription_status IN ('active', 'pending', 'expired', 'cancelled', 'none')),
  subscription_start_date timestamptz,
  subscription_end_date timestamptz,
  stripe_customer_id text,
  stripe_subscription_id text,
  iptv_username text,
  iptv_password text CHECK (iptv_password ~ '^v[0-9]+:'),
  iptv_synced boolean NOT NULL DEFAULT false,
  iptv_synced_at timestamptz,
  iptv_max_connections integer CHECK (iptv_max_connections BETWEEN 0 AND 1000),
  referral_code text NOT NULL,
  referred_by integer REFERENCES users (id),
  account_credit integer NOT NULL DEFAULT 0 CHECK (account_credit >= 0),
  search text GENERATED ALWAYS AS (lower(username) || ' ' || lower(email)) STORED,
  CHECK (subscription_end_date IS NULL OR subscription_start_date IS NULL OR subscription_end_date >= subscription_start_date),
  CHECK (referred_by <> id)
);
CREATE UNIQUE INDEX users_name ON users (lower(username));
CREATE UNIQUE INDEX users_mail ON users (lower(email));
CREATE UNIQUE INDEX users_referral_code ON users (referral_code);
CREATE INDEX users_created ON users (created_at, id);
CREATE INDEX users_admins ON users (id) WHERE role = 'admin';

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ip text,
  user_agent text
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- What is sold and shown
CREATE TABLE plans (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 3 AND 120),
  tier integer NOT NULL CHECK (tier BETWEEN 1 AND 4),
  months integer NOT NULL CHECK (months BETWEEN 1 AND 60),
  connections integer NOT NULL CHECK (connections BETWEEN 1 AND 100),
  price integer NOT NULL CHECK (price BETWEEN 0 AND 10000000),
  billing text NOT NULL,
  features jsonb NOT NULL CHECK (jsonb_typeof(features) = 'array'),
  popular boolean NOT NULL DEFAULT false,
  hidden boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX one_popular_plan_a_tier ON plans (tier) WHERE popular;
ALTER TABLE users ADD FOREIGN KEY (plan_id) REFERENCES plans (id);

CREATE TABLE channels (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  category text NOT NULL CHECK (category IN ('entertainment', 'movies', 'sports', 'nba_teams', 'nfl_teams', 'nhl_teams', 'soccer', 'news', 'kids', 'international')),
  logo text NOT NULL,
  preview_url text,
  featured boolean NOT NULL DEFAULT false,
  UNIQUE (category, name)
);

CREATE TABLE device_categories (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  icon text NOT NULL,
  devices jsonb NOT NULL CHECK (jsonb_typeof(devices) = 'array'),
  position integer NOT NULL DEFAULT 0
);

CREATE TABLE faqs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  question text NOT NULL UNIQUE,
  answer text NOT NULL,
  "order" integer NOT NULL DEFAULT 0
);

CREATE TABLE inquiries (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 2 AND 100),
  email text NOT NULL CHECK (length(email) <= 254),
  plan_id integer REFERENCES plans (id),
  message text NOT NULL CHECK (length(message) BETWEEN 10 AND 2000),
  newsletter_opt boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Invoices. Deleting a user must not delete money: no cascade from here on.
CREATE TABLE invoices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_number text NOT NULL UNIQUE CHECK (invoice_number ~ '^ORD-[A-Z0-9]{6}$'),
  user_id integer NOT NULL REFERENCES users (id),
  kind text NOT NULL DEFAULT 'purchase' CHECK (kind IN ('purchase', 'plan_change')),
  plan_id integer NOT NULL REFERENCES plans (id),
  plan_name text NOT NULL,
  plan_months integer NOT NULL CHECK (plan_months BETWEEN 1 AND 60),
  plan_connections integer NOT NULL CHECK (plan_connections BETWEEN 1 AND 100),
  description text NOT NULL,
  customer_details text NOT NULL,
  notes text,
  amount integer NOT NULL CHECK (amount BETWEEN 0 AND 10000000),
  credit_on_approval integer NOT NULL DEFAULT 0 CHECK (credit_on_approval BETWEEN 0 AND 10000000),
  referral_discount integer NOT NULL DEFAULT 0 CHECK (referral_discount BETWEEN 0 AND 10000000),
  payment_method text CHECK (payment_method IN ('cashapp', 'venmo', 'creditcard')),
  payment_note text CHECK (length(payment_note) <= 120),
  confirmation_code text CHECK (length(confirmation_code) <= 120),
  payment_link text CHECK (payment_link ~ '^https?://'),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'pending', 'paid', 'cancelled', 'expired')),
  created_at timestamptz NOT NULL DEFAULT now(),
  submitted_at timestamptz,
  paid_at timestamptz,
  expires_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CHECK ((status = 'paid') = (paid_at IS NOT NULL))
);
CREATE INDEX invoices_user ON invoices (user_id, created_at, id);
CREATE INDEX invoices_created ON invoices (created_at, id);
CREATE INDEX invoices_status ON invoices (status, created_at, id);
CREATE INDEX invoices_open_expiry ON invoices (expires_at) WHERE status IN ('draft', 'pending');
CREATE UNIQUE INDEX one_open_draft ON invoices (user_id) WHERE status = 'draft' AND kind = 'purchase';
CREATE UNIQUE INDEX one_open_change ON invoices (user_id) WHERE status IN ('draft', 'pending') AND kind = 'plan_change';
CREATE UNIQUE INDEX one_referral_discount ON invoices (user_id) WHERE referral_discount > 0 AND status IN ('draft', 'pending', 'paid');
CREATE INDEX invoices_code ON invoices (payment_method, upper(regexp_replace(confirmation_code, '\W', '', 'g'))) WHERE confirmation_code IS NOT NULL;

CREATE TABLE invoice_lines (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id integer NOT NULL REFERENCES invoices (id),
  position integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('plan', 'plan_change', 'referral_discount', 'credit')),
  description text NOT NULL,
  amount integer NOT NULL,
  UNIQUE (invoice_id, position)
);

-- What each payment did to a subscription. At most one activation of an invoice is in force at a time.
CREATE TABLE activations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  invoice_id integer REFERENCES invoices (id),
  kind text NOT NULL CHECK (kind IN ('purchase', 'plan_change', 'grant')),
  plan_id integer REFERENCES plans (id),
  months integer NOT NULL,
  connections integer,
  effective_at timestamptz NOT NULL,
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  created_by integer REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  reversed_at timestamptz,
  reversed_by integer REFERENCES users (id),
  CHECK ((kind = 'grant') = (invoice_id IS NULL))
);
CREATE UNIQUE INDEX one_activation_in_force ON activations (invoice_id) WHERE reversed_at IS NULL;
CREATE INDEX activations_user ON activations (user_id, id);

-- Referrals and the credit ledger
CREATE TABLE referral_claims (
  referee_id integer PRIMARY KEY REFERENCES users (id),
  referrer_id integer NOT NULL REFERENCES users (id),
  rewarded_invoice_id integer UNIQUE REFERENCES invoices (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (referee_id <> referrer_id)
);
CREATE INDEX referral_claims_referrer ON referral_claims (referrer_id);

CREATE TABLE credit_transactions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  amount integer NOT NULL CHECK (amount <> 0),
  description text NOT NULL,
  type text NOT NULL CHECK (type IN ('referral_bonus', 'admin_adjustment', 'payment', 'refund')),
  related_invoice_id integer REFERENCES invoices (id),
  activation_id bigint REFERENCES activations (id),
  reverses_id bigint UNIQUE REFERENCES credit_transactions (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by integer REFERENCES users (id),
  CHECK (related_invoice_id IS NOT NULL OR created_by IS NOT NULL)
);
CREATE INDEX credit_transactions_user ON credit_transactions (user_id, id);
CREATE UNIQUE INDEX one_booking_an_activation ON credit_transactions (activation_id, type) WHERE activation_id IS NOT NULL AND reverses_id IS NULL;

CREATE TABLE reports (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  content_type text NOT NULL CHECK (content_type IN ('channel', 'movie', 'tvshow')),
  content_name text NOT NULL,
  issue text NOT NULL CHECK (issue IN ('not_working', 'poor_quality', 'wrong_content', 'buffering', 'other')),
  description text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'reviewing', 'resolved', 'dismissed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  admin_notes text
);
CREATE INDEX reports_user ON reports (user_id, id);

CREATE TABLE trial_requests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  request_date timestamptz NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'denied')),
  message text NOT NULL,
  device text NOT NULL,
  response_date timestamptz,
  admin_id integer REFERENCES users (id),
  trial_username text,
  trial_password text CHECK (trial_password ~ '^v[0-9]+:'),
  trial_server text,
  admin_notes text,
  expiry_date timestamptz,
  CHECK (status <> 'approved' OR (trial_username IS NOT NULL AND trial_password IS NOT NULL AND trial_server IS NOT NULL AND expiry_date IS NOT NULL))
);
CREATE UNIQUE INDEX one_open_trial ON trial_requests (user_id) WHERE status = 'pending';
CREATE INDEX trial_requests_user ON trial_requests (user_id, id);

CREATE TABLE settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by integer REFERENCES users (id)
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id integer REFERENCES users (id),
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text
);
CREATE INDEX audit_log_target ON audit_log (target_type, target_id, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);

-- The outbox: written in the transaction that causes the mail, sent afterwards
CREATE TABLE mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dedupe_key text NOT NULL UNIQUE,
  user_id integer REFERENCES users (id),
  recipient text NOT NULL,
  template text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed', 'kept')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz
);
CREATE INDEX mails_queued ON mails (id) WHERE status = 'queued';

-- Append-only: a correction is a new row
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;
CREATE TRIGGER credit_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
