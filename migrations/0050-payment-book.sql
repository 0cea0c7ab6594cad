-- The payment book: what arrived, how it is judged, and where the money went. Amounts are cents.

-- Facts. A payment never changes; a correction is a new row. `request_key` is the client's id of a typed payment.
CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  rail text NOT NULL CHECK (rail IN ('cashapp', 'venmo', 'zelle', 'paypal', 'chime', 'wise', 'bank', 'card', 'crypto', 'cash', 'other')),
  -- The operator's own account on that rail; empty if it is not known
  account text NOT NULL DEFAULT '' CHECK (length(account) <= 120),
  direction text NOT NULL DEFAULT 'in' CHECK (direction IN ('in', 'out', 'reversal')),
  source text NOT NULL CHECK (source IN ('typed', 'mail', 'statement', 'event')),
  amount integer NOT NULL CHECK (amount BETWEEN 1 AND 100000000),
  fee integer NOT NULL DEFAULT 0 CHECK (fee BETWEEN 0 AND 100000000),
  currency text NOT NULL DEFAULT 'USD' CHECK (currency ~ '^[A-Z]{3}$'),
  final boolean NOT NULL DEFAULT true,
  paid_at timestamptz,
  paid_on date NOT NULL,
  payer_name text NOT NULL DEFAULT '' CHECK (length(payer_name) <= 200),
  payer_handle text NOT NULL DEFAULT '' CHECK (length(payer_handle) <= 120),
  payer_key text NOT NULL DEFAULT '' CHECK (length(payer_key) <= 250),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
  provider_reference text CHECK (length(provider_reference) BETWEEN 1 AND 120),
  fallback_key text NOT NULL,
  occurrence integer NOT NULL DEFAULT 1 CHECK (occurrence >= 1),
  reverses_id bigint REFERENCES payments (id),
  recorded_by integer REFERENCES users (id),
  request_key uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT typed_by_somebody CHECK ((source = 'typed') = (recorded_by IS NOT NULL)),
  CONSTRAINT only_a_reversal_reverses CHECK (direction = 'reversal' OR reverses_id IS NULL)
);
CREATE UNIQUE INDEX one_payment_a_reference ON payments (rail, account, direction, provider_reference) WHERE provider_reference IS NOT NULL;
CREATE UNIQUE INDEX one_payment_a_line ON payments (rail, account, direction, fallback_key, occurrence) WHERE provider_reference IS NULL;
CREATE UNIQUE INDEX one_payment_a_request ON payments (request_key) WHERE request_key IS NOT NULL;
CREATE INDEX payments_reverses ON payments (reverses_id) WHERE reverses_id IS NOT NULL;
CREATE TRIGGER payments_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The judgement of an incoming payment, one row each. `open_cents` is the part that is not allocated yet.
CREATE TABLE payment_cases (
  payment_id bigint PRIMARY KEY REFERENCES payments (id),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'held', 'done', 'set_aside')),
  open_cents integer NOT NULL CHECK (open_cents >= 0),
  kind text NOT NULL DEFAULT 'unknown'
    CHECK (kind IN ('exact', 'join', 'linked', 'part', 'over', 'late', 'double', 'split', 'likely', 'unknown')),
  level text NOT NULL DEFAULT 'none' CHECK (level IN ('exact', 'suggest', 'none')),
  -- One look is enough to confirm it
  ready boolean NOT NULL DEFAULT false,
  top_invoice_id integer REFERENCES invoices (id),
  score integer NOT NULL DEFAULT 0,
  blocked_by text[] NOT NULL,
  set_aside_until date,
  set_aside_reason text CHECK (length(set_aside_reason) <= 200),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  matched_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT settled_means_nothing_open CHECK ((status IN ('done', 'held')) = (open_cents = 0)),
  CONSTRAINT only_open_is_ready CHECK (status = 'open' OR NOT ready),
  CONSTRAINT only_set_aside_has_a_date CHECK (status = 'set_aside' OR set_aside_until IS NULL)
);
CREATE INDEX payment_cases_open ON payment_cases ((NOT ready), created_at, payment_id) INCLUDE (open_cents) WHERE status = 'open';
CREATE INDEX payment_cases_held ON payment_cases (created_at, payment_id) WHERE status = 'held';
CREATE INDEX payment_cases_set_aside ON payment_cases (created_at, payment_id) WHERE status = 'set_aside';
CREATE INDEX payment_cases_done ON payment_cases (changed_at DESC, payment_id DESC) WHERE status = 'done';
CREATE INDEX payment_cases_unmatched ON payment_cases (matched_at) WHERE status = 'open';
CREATE INDEX payment_cases_invoice ON payment_cases (top_invoice_id) WHERE status = 'open' AND top_invoice_id IS NOT NULL;

-- The invoices a payment may belong to, with the reasons
CREATE TABLE payment_matches (
  payment_id bigint NOT NULL REFERENCES payment_cases (payment_id),
  invoice_id integer NOT NULL REFERENCES invoices (id),
  score integer NOT NULL,
  level text NOT NULL CHECK (level IN ('exact', 'suggest', 'maybe')),
  reasons jsonb NOT NULL,
  PRIMARY KEY (payment_id, invoice_id)
);
CREATE INDEX payment_matches_invoice ON payment_matches (invoice_id);

-- One row per decision, and one per undo. `undo_facts` is what the undo needs: the state of the case and of the invoices before.
CREATE TABLE payment_decisions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id bigint NOT NULL REFERENCES payments (id),
  action text NOT NULL CHECK (action IN ('confirm', 'link', 'hold', 'credit', 'refund', 'refund_sent', 'not_ours', 'release', 'undo')),
  undo_facts jsonb NOT NULL,
  reason text CHECK (length(reason) <= 500),
  -- Null for a scheduled job
  decided_by integer REFERENCES users (id),
  undoes_id bigint REFERENCES payment_decisions (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT one_undo UNIQUE (undoes_id),
  CONSTRAINT only_an_undo_undoes CHECK ((action = 'undo') = (undoes_id IS NOT NULL))
);
CREATE INDEX payment_decisions_payment ON payment_decisions (payment_id, id);
CREATE TRIGGER payment_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Where the money went. A row that no longer counts is reversed by a row of the opposite amount.
CREATE TABLE payment_allocations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id bigint NOT NULL REFERENCES payments (id),
  decision_id bigint NOT NULL REFERENCES payment_decisions (id),
  amount integer NOT NULL CHECK (amount <> 0),
  target text NOT NULL CHECK (target IN ('invoice', 'hold', 'credit', 'refund_due', 'refund_sent', 'not_ours')),
  invoice_id integer REFERENCES invoices (id),
  user_id integer REFERENCES users (id),
  activation_id bigint REFERENCES activations (id),
  credit_transaction_id bigint REFERENCES credit_transactions (id),
  -- Where a refund goes: the handle before it is sent, the provider's number afterwards
  refund_reference text CHECK (length(refund_reference) <= 200),
  reverses_id bigint REFERENCES payment_allocations (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT one_allocation_a_credit UNIQUE (credit_transaction_id),
  CONSTRAINT one_reversal_an_allocation UNIQUE (reverses_id),
  CONSTRAINT only_a_reversal_is_negative CHECK ((amount < 0) = (reverses_id IS NOT NULL)),
  CONSTRAINT allocated_to_its_target CHECK (CASE target
    WHEN 'invoice' THEN invoice_id IS NOT NULL AND activation_id IS NOT NULL
    WHEN 'hold' THEN invoice_id IS NOT NULL AND activation_id IS NULL
    WHEN 'credit' THEN user_id IS NOT NULL AND credit_transaction_id IS NOT NULL
    ELSE activation_id IS NULL AND credit_transaction_id IS NULL END)
);
CREATE INDEX payment_allocations_payment ON payment_allocations (payment_id, id);
CREATE INDEX payment_allocations_invoice ON payment_allocations (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX payment_allocations_activation ON payment_allocations (activation_id) WHERE activation_id IS NOT NULL;
-- Holds and refunds that may still count
CREATE INDEX payment_allocations_waiting ON payment_allocations (target, id) WHERE target IN ('hold', 'refund_due') AND reverses_id IS NULL;
CREATE INDEX payment_allocations_decision ON payment_allocations (decision_id);
CREATE TRIGGER payment_allocations_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_allocations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Who paid for whom before
CREATE TABLE payer_identities (
  rail text NOT NULL,
  payer_key text NOT NULL CHECK (payer_key <> ''),
  user_id integer NOT NULL REFERENCES users (id),
  confirmations integer NOT NULL CHECK (confirmations >= 1),
  last_at timestamptz NOT NULL,
  PRIMARY KEY (rail, payer_key, user_id)
);
CREATE INDEX payer_identities_user ON payer_identities (user_id);
-- The former holders of a phrase in payment notes
CREATE INDEX invoices_reference ON invoices (payment_reference) WHERE payment_reference IS NOT NULL;
-- A payer whose name is a customer's
CREATE INDEX users_by_full_name ON users (lower(full_name)) WHERE full_name IS NOT NULL;
