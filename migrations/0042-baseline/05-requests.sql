-- What customers and visitors ask for and administrators answer

CREATE TABLE inquiries (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 2 AND 100),
  email text NOT NULL CHECK (length(email) <= 254),
  plan_id integer REFERENCES plans (id),
  message text NOT NULL CHECK (length(message) BETWEEN 10 AND 2000),
  newsletter_opt boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered')),
  admin_notes text CHECK (length(admin_notes) <= 2000),
  answered_at timestamptz,
  version integer NOT NULL DEFAULT 1
);
CREATE INDEX inquiries_created ON inquiries (created_at, id);
CREATE INDEX inquiries_status ON inquiries (status, created_at, id);
CREATE INDEX inquiries_plan ON inquiries (plan_id) WHERE plan_id IS NOT NULL;

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
  admin_notes text,
  version integer NOT NULL DEFAULT 1
);
CREATE INDEX reports_user ON reports (user_id, id);
CREATE INDEX reports_created ON reports (created_at, id);
CREATE INDEX reports_status ON reports (status, created_at, id);

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
  version integer NOT NULL DEFAULT 1,
  -- When the job that ends expired trials has ended this one
  ended_at timestamptz,
  CHECK (status <> 'approved' OR (trial_username IS NOT NULL AND trial_password IS NOT NULL AND trial_server IS NOT NULL AND expiry_date IS NOT NULL))
);
CREATE UNIQUE INDEX one_open_trial ON trial_requests (user_id) WHERE status = 'pending';
CREATE INDEX trial_requests_user ON trial_requests (user_id, id);
CREATE INDEX trial_requests_date ON trial_requests (request_date, id);
CREATE INDEX trial_requests_status ON trial_requests (status, request_date, id);
CREATE INDEX trial_requests_running ON trial_requests (expiry_date) WHERE status = 'approved' AND ended_at IS NULL;
