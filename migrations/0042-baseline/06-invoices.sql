-- Invoices. Deleting a user must not delete money: references to users have no cascade. Amounts are cents.

CREATE TABLE invoices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_number text NOT NULL UNIQUE CHECK (invoice_number ~ '^ORD-[A-Z0-9]{6}$'),
  user_id integer NOT NULL REFERENCES users (id),
  kind text NOT NULL DEFAULT 'purchase' CHECK (kind IN ('purchase', 'plan_change')),
  plan_id integer NOT NULL REFERENCES plans (id),
  plan_name text NOT NULL,
  plan_months integer NOT NULL CHECK (plan_months BETWEEN 1 AND 60),
  plan_connections integer NOT NULL CHECK (plan_connections BETWEEN 1 AND 100),
  description text NOT NULL,
  customer_details text NOT NULL,
  notes text,
  amount integer NOT NULL CHECK (amount BETWEEN 0 AND 10000000),
  credit_on_approval integer NOT NULL DEFAULT 0 CHECK (credit_on_approval BETWEEN 0 AND 10000000),
  referral_discount integer NOT NULL DEFAULT 0 CHECK (referral_discount BETWEEN 0 AND 10000000),
  payment_method text CHECK (payment_method IN ('cashapp', 'venmo', 'creditcard')),
  payment_note text CHECK (length(payment_note) <= 120),
  confirmation_code text CHECK (length(confirmation_code) <= 120),
  payment_link text,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'pending', 'paid', 'cancelled', 'expired', 'refunded')),
  created_at timestamptz NOT NULL DEFAULT now(),
  submitted_at timestamptz,
  paid_at timestamptz,
  expires_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- Why a payment was sent back to the customer
  rejection_reason text CHECK (length(rejection_reason) BETWEEN 3 AND 500),
  rejected_at timestamptz,
  -- The reference in the payment note, where notes are phrases
  payment_reference text CHECK (length(payment_reference) BETWEEN 3 AND 60),
  -- The end of the period that this invoice renews
  renews_end timestamptz,
  -- Plan and dates of the subscription that a plan change was priced from
  priced_from jsonb CHECK (priced_from IS NULL OR kind = 'plan_change'),
  CONSTRAINT paid_has_a_date CHECK ((status IN ('paid', 'refunded')) = (paid_at IS NOT NULL)),
  CONSTRAINT invoices_check1 CHECK ((rejection_reason IS NULL) = (rejected_at IS NULL))
);
-- NOT VALID: installations of early releases may hold links that are not https. Pages never show those.
ALTER TABLE invoices ADD CONSTRAINT invoices_payment_link_check CHECK (payment_link ~ '^https://' AND length(payment_link) <= 500) NOT VALID;

CREATE UNIQUE INDEX one_open_draft ON invoices (user_id) WHERE status = 'draft' AND kind = 'purchase';
CREATE UNIQUE INDEX one_open_change ON invoices (user_id) WHERE status IN ('draft', 'pending') AND kind = 'plan_change';
CREATE UNIQUE INDEX one_open_reference ON invoices (payment_reference) WHERE payment_reference IS NOT NULL AND status IN ('draft', 'pending');
CREATE UNIQUE INDEX one_referral_discount ON invoices (user_id) WHERE referral_discount > 0 AND status IN ('draft', 'pending', 'paid');
CREATE UNIQUE INDEX one_renewal_an_end ON invoices (user_id, renews_end) WHERE renews_end IS NOT NULL;
CREATE INDEX invoices_user ON invoices (user_id, created_at, id);
CREATE INDEX invoices_plan ON invoices (plan_id);
CREATE INDEX invoices_open_expiry ON invoices (expires_at) WHERE status IN ('draft', 'pending');
CREATE INDEX invoices_guaranteed ON invoices (user_id, paid_at) WHERE paid_at IS NOT NULL;

-- The orders of the list of invoices
CREATE INDEX invoices_created ON invoices (created_at, id);
CREATE INDEX invoices_status ON invoices (status, created_at, id);
-- Open invoices with the date that ends them: a filter by status skips expired invoices without reading their rows.
CREATE INDEX invoices_open ON invoices (status, created_at, id) INCLUDE (expires_at) WHERE status IN ('draft', 'pending');
CREATE INDEX invoices_by_amount ON invoices (amount, id) INCLUDE (status);
CREATE INDEX invoices_by_number ON invoices (invoice_number COLLATE "C", id) INCLUDE (status);

CREATE TABLE invoice_lines (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id integer NOT NULL REFERENCES invoices (id),
  position integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('plan', 'plan_change', 'referral_discount', 'credit')),
  description text NOT NULL,
  amount integer NOT NULL,
  UNIQUE (invoice_id, position)
);
