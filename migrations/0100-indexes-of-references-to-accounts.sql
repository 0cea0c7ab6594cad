-- Each deleted account is searched for in every column that refers to accounts. Without an index that reads the whole table: the undo of an
-- import of 50,000 customers would read the payments 50,000 times. Tables that stay small have no such index.
CREATE INDEX trial_requests_admin ON trial_requests (admin_id) WHERE admin_id IS NOT NULL;
CREATE INDEX refund_requests_decided_by ON refund_requests (decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX credit_notes_user ON credit_notes (user_id);
CREATE INDEX credit_notes_issued_by ON credit_notes (issued_by);
CREATE INDEX line_drift_user ON line_drift (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX payments_recorded_by ON payments (recorded_by) WHERE recorded_by IS NOT NULL;
CREATE INDEX payment_decisions_decided_by ON payment_decisions (decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX payment_allocations_user ON payment_allocations (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX payment_mails_reviewed_by ON payment_mails (reviewed_by) WHERE reviewed_by IS NOT NULL;
CREATE INDEX payment_events_reviewed_by ON payment_events (reviewed_by) WHERE reviewed_by IS NOT NULL;
