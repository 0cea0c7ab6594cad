-- What an administrator decided about: a decision about an older version is refused
ALTER TABLE reports ADD version integer NOT NULL DEFAULT 1;
ALTER TABLE trial_requests ADD version integer NOT NULL DEFAULT 1;

-- Inquiries are answered by mail; here stands whether that was done
ALTER TABLE inquiries ADD status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered'));
ALTER TABLE inquiries ADD admin_notes text CHECK (length(admin_notes) <= 2000);
ALTER TABLE inquiries ADD answered_at timestamptz;
ALTER TABLE inquiries ADD version integer NOT NULL DEFAULT 1;
CREATE INDEX inquiries_created ON inquiries (created_at, id);
CREATE INDEX inquiries_status ON inquiries (status, created_at, id);

-- What the audit log is filtered by, beside actor and target
CREATE INDEX audit_log_at ON audit_log (at, id);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_request ON audit_log (request_id) WHERE request_id IS NOT NULL;
