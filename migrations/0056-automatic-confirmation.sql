-- Confirming exact payments without a person: the switch, and what the rule decided.

-- The switch and its limits, in one row. `since` is when the present mode began.
CREATE TABLE payment_automation (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  mode text NOT NULL DEFAULT 'off' CHECK (mode IN ('off', 'shadow', 'on')),
  since timestamptz NOT NULL DEFAULT now(),
  -- Why it returned to shadow mode automatically; null after a person's change
  reason text CHECK (length(reason) <= 300),
  changed_by integer REFERENCES users (id),
  rails text[] NOT NULL DEFAULT ARRAY['cashapp', 'venmo', 'zelle', 'paypal', 'chime', 'wise', 'card'],
  max_cents integer NOT NULL DEFAULT 10000 CHECK (max_cents BETWEEN 1 AND 100000000),
  per_day integer NOT NULL DEFAULT 50 CHECK (per_day BETWEEN 1 AND 100000),
  per_day_cents integer NOT NULL DEFAULT 250000 CHECK (per_day_cents BETWEEN 1 AND 1000000000),
  per_payer_day integer NOT NULL DEFAULT 2 CHECK (per_payer_day BETWEEN 1 AND 100),
  per_customer_day integer NOT NULL DEFAULT 1 CHECK (per_customer_day BETWEEN 1 AND 100),
  version integer NOT NULL DEFAULT 1
);
INSERT INTO payment_automation DEFAULT VALUES;

-- Payments for which every condition held: confirmed by the rule, waiting for it, only noted in shadow mode, or left to a person after all.
CREATE TABLE payment_rule_results (
  payment_id bigint PRIMARY KEY REFERENCES payments (id),
  invoice_id integer NOT NULL REFERENCES invoices (id),
  state text NOT NULL CHECK (state IN ('waiting', 'confirmed', 'shadow', 'refused')),
  -- Why it was left to a person
  refusal text CHECK (length(refusal) <= 300),
  decision_id bigint REFERENCES payment_decisions (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT confirmed_by_a_decision CHECK ((state = 'confirmed') = (decision_id IS NOT NULL)),
  CONSTRAINT refused_with_a_reason CHECK ((state = 'refused') = (refusal IS NOT NULL))
);
CREATE INDEX payment_rule_results_waiting ON payment_rule_results (payment_id) WHERE state = 'waiting';
CREATE INDEX payment_rule_results_day ON payment_rule_results (created_at) WHERE state IN ('confirmed', 'shadow');
CREATE INDEX payment_rule_results_invoice ON payment_rule_results (invoice_id);
CREATE UNIQUE INDEX one_rule_result_a_decision ON payment_rule_results (decision_id);
-- The emails of a day
CREATE INDEX payment_mails_read ON payment_mails (read_at);
