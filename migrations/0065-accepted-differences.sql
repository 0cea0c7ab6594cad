-- An accepted difference is an item of the invoice, so that its items still add up to its amount.
ALTER TABLE invoice_lines DROP CONSTRAINT invoice_lines_kind_check, ADD CONSTRAINT invoice_lines_kind_check
  CHECK (kind IN ('plan', 'plan_change', 'referral_discount', 'credit', 'adjustment'));
