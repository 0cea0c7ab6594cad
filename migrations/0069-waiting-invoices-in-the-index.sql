-- The queue of administrators reads waiting invoices from the index alone: PostgreSQL does so only if the index also holds the columns of its expression.
DROP INDEX invoices_to_check;
CREATE INDEX invoices_to_check ON invoices ((coalesce(submitted_at, created_at)), id) INCLUDE (expires_at, submitted_at, created_at)
  WHERE status = 'pending' AND (submitted_at IS NOT NULL OR amount = 0)
    AND (payment_method IS DISTINCT FROM 'creditcard' OR payment_link IS NOT NULL);
DROP INDEX invoices_without_link;
CREATE INDEX invoices_without_link ON invoices ((coalesce(submitted_at, created_at)), id) INCLUDE (expires_at, submitted_at, created_at)
  WHERE status = 'pending' AND (submitted_at IS NOT NULL OR amount = 0)
    AND payment_method = 'creditcard' AND payment_link IS NULL;
