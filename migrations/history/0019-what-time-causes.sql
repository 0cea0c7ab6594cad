-- The renewal of a period, offered ahead of its end: one invoice for each end
ALTER TABLE invoices ADD renews_end timestamptz;
CREATE UNIQUE INDEX one_renewal_an_end ON invoices (user_id, renews_end) WHERE renews_end IS NOT NULL;
CREATE INDEX users_ending ON users (subscription_end_date) WHERE subscription_status = 'active';

-- A trial that has run out is ended once
ALTER TABLE trial_requests ADD ended_at timestamptz;
CREATE INDEX trial_requests_running ON trial_requests (expiry_date) WHERE status = 'approved' AND ended_at IS NULL;
