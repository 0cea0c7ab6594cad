-- The money-back guarantee: a customer asks once for an invoice, an administrator decides once, and what is paid back has a credit note.
ALTER TABLE invoices DROP CONSTRAINT invoices_status_check, DROP CONSTRAINT invoices_check;
ALTER TABLE invoices
  ADD CONSTRAINT invoices_status_check CHECK (status IN ('draft', 'pending', 'paid', 'cancelled', 'expired', 'refunded')),
  ADD CONSTRAINT paid_has_a_date CHECK ((status IN ('paid', 'refunded')) = (paid_at IS NOT NULL));
CREATE INDEX invoices_guaranteed ON invoices (user_id, paid_at) WHERE paid_at IS NOT NULL;

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

-- A series of their own without a gap. What was issued is never changed.
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
