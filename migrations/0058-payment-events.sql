-- Events of payment processors (webhooks): which processors are on, the secrets that verify their events, and what each event told of.

CREATE TABLE payment_processors (
  name text PRIMARY KEY CHECK (name IN ('stripe', 'btcpay')),
  enabled boolean NOT NULL DEFAULT false,
  -- Where to ask for the amount of an invoice, for events that name none
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 300),
  store_id text NOT NULL DEFAULT '' CHECK (length(store_id) <= 100),
  -- The latest request that was refused, at most one a minute. Nothing else of it is stored
  refused_at timestamptz,
  refusal text CHECK (length(refusal) <= 40),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT refused_for_a_reason CHECK ((refused_at IS NULL) = (refusal IS NULL))
);
INSERT INTO payment_processors (name) VALUES ('stripe'), ('btcpay');

-- Several secrets of a processor are valid at the same time, so that one can be replaced without losing an event.
CREATE TABLE payment_processor_secrets (
  id uuid PRIMARY KEY,
  processor text NOT NULL REFERENCES payment_processors (name) CHECK (processor IN ('stripe', 'btcpay')),
  sealed text NOT NULL,
  -- The last characters, by which a person recognizes it
  ending text NOT NULL CHECK (length(ending) <= 4),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by integer NOT NULL REFERENCES users (id),
  last_used_at timestamptz
);
CREATE INDEX payment_processor_secrets_processor ON payment_processor_secrets (processor, created_at);

-- Verified events. `event_id` is the same for every delivery of one event.
CREATE TABLE payment_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  processor text NOT NULL REFERENCES payment_processors (name) CHECK (processor IN ('stripe', 'btcpay')),
  event_id text NOT NULL CHECK (length(event_id) BETWEEN 1 AND 200),
  type text NOT NULL CHECK (length(type) BETWEEN 1 AND 100),
  -- What it is about, by the processor's id
  subject text NOT NULL DEFAULT '' CHECK (length(subject) <= 120),
  signed_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  -- waiting: for its amount, or for the payment that it takes back. review: a person has to look at it
  outcome text NOT NULL CHECK (outcome IN ('payment', 'reversal', 'waiting', 'test', 'ignored', 'review')),
  reason text CHECK (length(reason) <= 100),
  -- The payment that it told of
  facts jsonb,
  retried_at timestamptz NOT NULL DEFAULT now(),
  reviewed_at timestamptz,
  reviewed_by integer REFERENCES users (id),
  CONSTRAINT one_row_a_payment_event UNIQUE (processor, event_id),
  CONSTRAINT reviewed_event_by_somebody CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL)),
  CONSTRAINT payment_of_facts CHECK (outcome NOT IN ('payment', 'reversal') OR facts IS NOT NULL)
);
CREATE INDEX payment_events_latest ON payment_events (processor, id DESC);
CREATE INDEX payment_events_waiting ON payment_events (retried_at) WHERE outcome = 'waiting';
CREATE INDEX payment_events_to_review ON payment_events (id DESC) WHERE outcome IN ('review', 'reversal') AND reviewed_at IS NULL;
CREATE INDEX payment_events_without_payment ON payment_events (received_at) WHERE outcome IN ('test', 'ignored');

-- The payments that an event told of
CREATE TABLE payment_event_links (
  event_id bigint NOT NULL REFERENCES payment_events (id),
  payment_id bigint NOT NULL REFERENCES payments (id),
  PRIMARY KEY (event_id, payment_id)
);
CREATE INDEX payment_event_links_payment ON payment_event_links (payment_id);
