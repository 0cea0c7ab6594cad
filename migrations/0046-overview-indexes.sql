-- For the figures of a day: what was collected, by payment date
CREATE INDEX invoices_paid ON invoices (paid_at) INCLUDE (amount) WHERE status = 'paid';
-- The refund requests that wait for an administrator, oldest first
CREATE INDEX refund_requests_waiting ON refund_requests (created_at, id) WHERE status = 'pending';
