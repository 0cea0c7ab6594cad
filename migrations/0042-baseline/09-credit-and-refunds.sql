-- Referrals, the ledger of account credit, and the money-back guarantee. Amounts are cents.

-- A referral bonus is pending until the guarantee of the payment it comes from has ended; then it is booked as credit.
CREATE TABLE referral_claims (
  referee_id integer PRIMARY KEY REFERENCES users (id),
  referrer_id integer NOT NULL REFERENCES users (id),
  rewarded_invoice_id integer UNIQUE REFERENCES invoices (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  bonus_cents integer CHECK (bonus_cents >= 0),
  bonus_available_at timestamptz,
  bonus_booked_at timestamptz,
  CHECK (referee_id <> referrer_id),
  CONSTRAINT rewarded_has_a_bonus
    CHECK ((rewarded_invoice_id IS NULL) = (bonus_cents IS NULL) AND (bonus_cents IS NULL) = (bonus_available_at IS NULL) AND (bonus_cents IS NOT NULL OR bonus_booked_at IS NULL))
);
CREATE INDEX referral_claims_referrer ON referral_claims (referrer_id);
CREATE INDEX referral_claims_pending ON referral_claims (bonus_available_at) WHERE bonus_booked_at IS NULL AND bonus_available_at IS NOT NULL;

CREATE TABLE credit_transactions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  amount integer NOT NULL CHECK (amount <> 0),
  description text NOT NULL,
  type text NOT NULL CHECK (type IN ('referral_bonus', 'admin_adjustment', 'payment', 'refund')),
  related_invoice_id integer REFERENCES invoices (id),
  activation_id bigint REFERENCES activations (id),
  reverses_id bigint UNIQUE REFERENCES credit_transactions (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by integer REFERENCES users (id),
  CHECK (related_invoice_id IS NOT NULL OR created_by IS NOT NULL)
);
CREATE UNIQUE INDEX one_booking_an_activation ON credit_transactions (activation_id, type) WHERE activation_id IS NOT NULL AND reverses_id IS NULL;
CREATE INDEX credit_transactions_user ON credit_transactions (user_id, id);
CREATE INDEX credit_transactions_invoice ON credit_transactions (related_invoice_id) WHERE related_invoice_id IS NOT NULL;
CREATE TRIGGER credit_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A customer asks once for a refund of an invoice, and an administrator decides once.
CREATE TABLE refund_requests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id integer NOT NULL REFERENCES invoices (id),
  user_id integer NOT NULL REFERENCES users (id),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 1000),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'declined')),
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  decided_by integer REFERENCES users (id),
  decision_reason text CHECK (length(decision_reason) BETWEEN 3 AND 500),
  CONSTRAINT one_refund_request UNIQUE (invoice_id),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK ((status = 'pending') = (decided_by IS NULL)),
  CHECK (status <> 'declined' OR decision_reason IS NOT NULL)
);
CREATE INDEX refund_requests_user ON refund_requests (user_id, id);
CREATE INDEX refund_requests_open ON refund_requests (invoice_id) WHERE status = 'pending';

-- Numbered without gaps. An issued credit note never changes.
CREATE TABLE credit_notes (
  number integer PRIMARY KEY CHECK (number > 0),
  invoice_id integer NOT NULL UNIQUE REFERENCES invoices (id),
  user_id integer NOT NULL REFERENCES users (id),
  amount integer NOT NULL CHECK (amount BETWEEN 0 AND 10000000),
  credit_returned integer NOT NULL CHECK (credit_returned BETWEEN 0 AND 10000000),
  payment_reference text CHECK (length(payment_reference) BETWEEN 3 AND 120),
  issued_at timestamptz NOT NULL DEFAULT now(),
  issued_by integer NOT NULL REFERENCES users (id),
  CHECK (amount = 0 OR payment_reference IS NOT NULL)
);
CREATE TRIGGER credit_notes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
