-- The invoices that wait for an administrator, oldest first: payments to check, and orders with a card whose link was not sent
CREATE INDEX invoices_to_check ON invoices ((coalesce(submitted_at, created_at)), id) INCLUDE (expires_at)
  WHERE status = 'pending' AND (submitted_at IS NOT NULL OR amount = 0)
    AND (payment_method IS DISTINCT FROM 'creditcard' OR payment_link IS NOT NULL);
CREATE INDEX invoices_without_link ON invoices ((coalesce(submitted_at, created_at)), id) INCLUDE (expires_at)
  WHERE status = 'pending' AND (submitted_at IS NOT NULL OR amount = 0)
    AND payment_method = 'creditcard' AND payment_link IS NULL;
