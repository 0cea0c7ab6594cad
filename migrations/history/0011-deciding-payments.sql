-- Why a payment was sent back to the customer, and the reference a note carries when notes are phrases.
ALTER TABLE invoices
  ADD rejection_reason text CHECK (length(rejection_reason) BETWEEN 3 AND 500),
  ADD rejected_at timestamptz,
  ADD payment_reference text CHECK (length(payment_reference) BETWEEN 3 AND 60),
  ADD CHECK ((rejection_reason IS NULL) = (rejected_at IS NULL));
CREATE UNIQUE INDEX one_open_reference ON invoices (payment_reference) WHERE payment_reference IS NOT NULL AND status IN ('draft', 'pending');
-- Links that were stored before stay as they are: pages never show one that is not https.
ALTER TABLE invoices DROP CONSTRAINT invoices_payment_link_check;
ALTER TABLE invoices ADD CONSTRAINT invoices_payment_link_check CHECK (payment_link ~ '^https://' AND length(payment_link) <= 500) NOT VALID;
