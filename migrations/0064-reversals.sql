-- Money that a provider takes back is a case of its own. It is taken from the payment that it reverses, or the operator bears it.
ALTER TABLE payment_cases DROP CONSTRAINT payment_cases_kind_check, ADD CONSTRAINT payment_cases_kind_check
  CHECK (kind IN ('exact', 'join', 'linked', 'part', 'over', 'late', 'double', 'split', 'likely', 'unknown', 'reversal'));
ALTER TABLE payment_decisions DROP CONSTRAINT payment_decisions_action_check, ADD CONSTRAINT payment_decisions_action_check
  CHECK (action IN ('confirm', 'link', 'hold', 'credit', 'refund', 'refund_sent', 'not_ours', 'release', 'take_back', 'bear', 'undo'));
ALTER TABLE payment_allocations DROP CONSTRAINT payment_allocations_target_check, ADD CONSTRAINT payment_allocations_target_check
  CHECK (target IN ('invoice', 'hold', 'credit', 'refund_due', 'refund_sent', 'not_ours', 'taken_back', 'borne'));

-- A payment of this payer was taken back: a person looks at every further one.
ALTER TABLE payer_identities ADD COLUMN taken_back_at timestamptz;

INSERT INTO payment_cases (payment_id, open_cents, kind, blocked_by)
  SELECT id, amount, 'reversal', '{}' FROM payments WHERE direction = 'reversal' AND withdrawn_at IS NULL;
