-- Days that administrators give to customers, one by one or to a group after an outage (decision record 097).

CREATE TABLE time_gifts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  days integer NOT NULL CHECK (days BETWEEN 1 AND 366),
  -- Customers read it
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  incident_id integer REFERENCES incidents (id),
  -- Each customer gets an email
  emails boolean NOT NULL,
  state text NOT NULL DEFAULT 'giving' CHECK (state IN ('giving', 'given', 'undoing', 'undone')),
  created_by integer NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  undone_by integer REFERENCES users (id),
  undone_at timestamptz,
  CONSTRAINT undone_by_an_administrator CHECK ((undone_at IS NULL) = (undone_by IS NULL)),
  CONSTRAINT undone_when_it_says_so CHECK ((undone_at IS NOT NULL) = (state IN ('undoing', 'undone')))
);
CREATE INDEX time_gifts_unfinished ON time_gifts (id) WHERE state IN ('giving', 'undoing');
CREATE INDEX time_gifts_incident ON time_gifts (incident_id, id) WHERE incident_id IS NOT NULL;

-- The customers of a gift: each gets it in a transaction of its own.
CREATE TABLE time_gift_customers (
  gift_id integer NOT NULL REFERENCES time_gifts (id),
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- That of the gift
  incident_id integer,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'added', 'skipped', 'undone', 'kept')),
  -- Why it was skipped, or kept when the gift was undone
  reason text,
  activation_id bigint REFERENCES activations (id) ON DELETE CASCADE,
  PRIMARY KEY (gift_id, user_id),
  CONSTRAINT gift_with_its_activation CHECK ((state IN ('added', 'undone', 'kept')) = (activation_id IS NOT NULL)),
  CONSTRAINT gift_with_its_reason CHECK ((state IN ('skipped', 'kept')) = (reason IS NOT NULL))
);
CREATE INDEX time_gift_customers_state ON time_gift_customers (gift_id, state, user_id);
CREATE INDEX time_gift_customers_user ON time_gift_customers (user_id);
CREATE UNIQUE INDEX time_gift_customers_activation ON time_gift_customers (activation_id) WHERE activation_id IS NOT NULL;
-- A customer gets days for an incident once.
CREATE UNIQUE INDEX one_gift_for_an_incident ON time_gift_customers (incident_id, user_id)
  WHERE incident_id IS NOT NULL AND state IN ('waiting', 'added', 'kept');
