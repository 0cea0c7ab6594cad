-- Refunds that were sent, by their transaction number and by time (decision record 084).
CREATE INDEX payment_allocations_sent_reference ON payment_allocations (refund_reference) WHERE target = 'refund_sent';
CREATE INDEX payment_allocations_sent ON payment_allocations (created_at) WHERE target = 'refund_sent';
