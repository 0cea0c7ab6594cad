-- What waits for a payment, in the order of the list and with the date that ends it: a filter by status reads no invoice that has lapsed.
CREATE INDEX invoices_open ON invoices (status, created_at, id) INCLUDE (expires_at) WHERE status IN ('draft', 'pending');
