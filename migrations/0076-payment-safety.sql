-- Decisions about large payments need two administrators.
ALTER TABLE admin_requests DROP CONSTRAINT admin_requests_action_check,
  ADD CONSTRAINT admin_requests_action_check CHECK (action IN ('promote', 'payments', 'reveal_mail', 'payment'));

-- Rail, amount and currency: many equal payments of unknown senders are one entry of the list.
ALTER TABLE payment_cases ADD alike text NOT NULL DEFAULT '';
UPDATE payment_cases SET alike = concat_ws(' ', payments.rail, payments.amount, payments.currency)
FROM payments WHERE payments.id = payment_cases.payment_id;
CREATE INDEX payment_cases_alike ON payment_cases (alike) WHERE status = 'open' AND kind = 'unknown';
