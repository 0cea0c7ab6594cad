-- Payments on the timeline of a customer: an audit entry about a payment is about the customer whose invoice or credit its latest allocation
-- belongs to, and before any decision about the customer of the invoice that it matches exactly.
CREATE FUNCTION customer_of_payment(payment bigint) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT coalesce(allocation.user_id, invoice.user_id)
     FROM payment_allocations allocation LEFT JOIN invoices invoice ON invoice.id = allocation.invoice_id
     WHERE allocation.payment_id = payment AND (allocation.user_id IS NOT NULL OR allocation.invoice_id IS NOT NULL)
     ORDER BY allocation.id DESC LIMIT 1),
    (SELECT invoice.user_id FROM payment_cases judged JOIN invoices invoice ON invoice.id = judged.top_invoice_id
     WHERE judged.payment_id = payment AND judged.level = 'exact'))
$$;

CREATE OR REPLACE FUNCTION audited_customer(actor integer, target_type text, target text) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF target_type IN ('session', 'passkey') THEN
    RETURN actor;
  ELSIF target !~ '^[0-9]{1,9}$' THEN
    RETURN NULL;
  ELSIF target_type = 'user' THEN
    RETURN target::integer;
  ELSIF target_type = 'invoice' THEN
    RETURN (SELECT user_id FROM invoices WHERE id = target::integer);
  ELSIF target_type = 'report' THEN
    RETURN (SELECT user_id FROM reports WHERE id = target::integer);
  ELSIF target_type = 'trial_request' THEN
    RETURN (SELECT user_id FROM trial_requests WHERE id = target::integer);
  ELSIF target_type = 'mail' THEN
    RETURN (SELECT user_id FROM mails WHERE id = target::integer);
  ELSIF target_type = 'payment' THEN
    RETURN customer_of_payment(target::bigint);
  END IF;
  RETURN NULL;
END $$;

-- The entries that exist already. Nothing that was recorded changes.
ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;
UPDATE audit_log SET customer_id = customer_of_payment(target_id::bigint)
  WHERE target_type = 'payment' AND target_id ~ '^[0-9]{1,9}$';
ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only;
