-- Amounts whose cents identify the payment of one order (decision record 102).
ALTER TABLE invoice_lines DROP CONSTRAINT invoice_lines_kind_check, ADD CONSTRAINT invoice_lines_kind_check
  CHECK (kind IN ('plan', 'plan_change', 'referral_discount', 'credit', 'adjustment', 'payment_cents'));
CREATE TABLE identifying_amounts (
  invoice_id integer PRIMARY KEY REFERENCES invoices (id) ON DELETE CASCADE,
  amount integer NOT NULL CHECK (amount > 0),
  given_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT one_order_of_an_amount UNIQUE (amount)
);
