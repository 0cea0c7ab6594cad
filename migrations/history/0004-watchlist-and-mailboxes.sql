-- Channels a customer wants to find again
CREATE TABLE watchlist (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  channel_id integer NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, channel_id)
);
CREATE INDEX watchlist_channel ON watchlist (channel_id);

-- The mailbox behind an address: without what follows a plus, and without dots. Several accounts on one are shown to administrators, not refused.
ALTER TABLE users ADD mailbox text NOT NULL GENERATED ALWAYS AS
  (replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2)) STORED;
CREATE INDEX users_mailbox ON users (mailbox);

-- What administrators' lists are ordered by
CREATE INDEX trial_requests_date ON trial_requests (request_date, id);
CREATE INDEX trial_requests_status ON trial_requests (status, request_date, id);
CREATE INDEX reports_created ON reports (created_at, id);
CREATE INDEX reports_status ON reports (status, created_at, id);
