-- What each payment or grant did to a subscription (decision record 034). At most one activation of an invoice is in force.

CREATE TABLE activations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  invoice_id integer REFERENCES invoices (id),
  kind text NOT NULL CHECK (kind IN ('purchase', 'plan_change', 'grant')),
  plan_id integer REFERENCES plans (id),
  effective_at timestamptz NOT NULL,
  after jsonb NOT NULL,
  created_by integer REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  reversed_at timestamptz,
  reversed_by integer REFERENCES users (id),
  -- Cents of account credit that releases before paid time gave without a payment behind them
  legacy_credit_cents integer NOT NULL DEFAULT 0 CHECK (legacy_credit_cents >= 0),
  CHECK ((kind = 'grant') = (invoice_id IS NULL))
);
CREATE UNIQUE INDEX one_activation_in_force ON activations (invoice_id) WHERE reversed_at IS NULL;
CREATE INDEX activations_user ON activations (user_id, id);
CREATE INDEX activations_plan ON activations (plan_id);

-- Paid time: a subscription is a sequence of segments. They are the only source of proration, credit, refund and undo.
CREATE TABLE segments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  -- The activation that made this row, and the one that replaced it; null while the row is in force.
  activation_id bigint NOT NULL REFERENCES activations (id),
  replaced_by bigint REFERENCES activations (id),
  plan_id integer NOT NULL REFERENCES plans (id),
  months integer NOT NULL CHECK (months > 0),
  connections integer NOT NULL CHECK (connections > 0),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- The days that the plan's whole price pays for
  period_days integer NOT NULL CHECK (period_days > 0),
  list_cents integer NOT NULL,
  paid_cents integer NOT NULL CHECK (paid_cents >= 0),
  -- A new period began where this segment ends, although time goes on without a gap.
  closed boolean NOT NULL DEFAULT false,
  -- An administrator took this time away. Its cents stay here, so that every cent received stays accounted for.
  withdrawn boolean NOT NULL DEFAULT false,
  -- Whether the customer's row and line already follow this segment
  begun boolean NOT NULL,
  CHECK (starts_at < ends_at),
  CHECK (paid_cents <= list_cents),
  CHECK (activation_id <> replaced_by),
  CONSTRAINT segments_do_not_overlap EXCLUDE USING gist (int4range(user_id, user_id, '[]') WITH &&, tstzrange(starts_at, ends_at) WITH &&)
    WHERE (replaced_by IS NULL AND NOT withdrawn) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX segments_user ON segments (user_id, starts_at) WHERE replaced_by IS NULL;
CREATE INDEX segments_activation ON segments (activation_id);
CREATE INDEX segments_replaced ON segments (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX segments_to_begin ON segments (starts_at) WHERE NOT begun AND replaced_by IS NULL AND NOT withdrawn;
CREATE INDEX segments_plan ON segments (plan_id);
