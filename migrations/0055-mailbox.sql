-- The mailbox of payment emails: how far it was read, and what was found in each email of a payment provider.

-- The state that all processes share, in one row. One of them holds the mailbox at a time.
CREATE TABLE mailbox_reader (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  holder uuid,
  held_until timestamptz NOT NULL DEFAULT now(),
  -- Null while it is turned off
  enabled_at timestamptz,
  -- The position, and the account and folder that it is valid for
  mailbox text NOT NULL DEFAULT '',
  uid_validity bigint,
  last_uid bigint,
  -- The email that failed last, and how often
  failed_uid bigint,
  failed_tries integer NOT NULL DEFAULT 0,
  checked_at timestamptz,
  last_mail_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  rest_until timestamptz NOT NULL DEFAULT now(),
  failing_since timestamptz,
  last_failure text CHECK (length(last_failure) <= 300),
  -- The server refused the password: nothing is tried until the settings are saved
  paused_since timestamptz,
  CONSTRAINT position_of_a_mailbox CHECK ((uid_validity IS NULL) = (last_uid IS NULL))
);
INSERT INTO mailbox_reader DEFAULT VALUES;

-- Emails of payment providers. What other people send is not stored. `source_key` is the same for every copy of one signed email.
CREATE TABLE payment_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_key text NOT NULL,
  mailbox text NOT NULL,
  uid_validity bigint NOT NULL,
  uid bigint NOT NULL,
  message_id text NOT NULL CHECK (length(message_id) <= 300),
  sender text NOT NULL CHECK (length(sender) <= 320),
  subject text NOT NULL CHECK (length(subject) <= 300),
  bytes integer NOT NULL CHECK (bytes >= 0),
  received_at timestamptz NOT NULL,
  -- How far the sender is proven; the domain and the time of the signature that counted
  auth text NOT NULL CHECK (auth IN ('proven', 'vouched', 'unproven', 'forged')),
  signed_by text,
  signed_at timestamptz,
  outcome text NOT NULL CHECK (outcome IN ('payment', 'not_a_payment', 'refused', 'unreadable')),
  -- Why it is no payment, or what a person has to look at
  reason text CHECK (length(reason) <= 100),
  template text,
  template_version integer,
  -- The whole email; removed after some months
  sealed text,
  -- Until when its signature is checked again, because the key could not be asked for
  retry_until timestamptz,
  retried_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz NOT NULL DEFAULT now(),
  reviewed_at timestamptz,
  reviewed_by integer REFERENCES users (id),
  CONSTRAINT one_row_an_email UNIQUE (source_key),
  CONSTRAINT only_a_payment_counts CHECK (outcome <> 'payment' OR auth IN ('proven', 'vouched')),
  CONSTRAINT reviewed_by_somebody CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL))
);
CREATE INDEX payment_mails_to_review ON payment_mails (id DESC)
  WHERE reviewed_at IS NULL AND outcome <> 'not_a_payment' AND reason IS NOT NULL;
CREATE INDEX payment_mails_to_retry ON payment_mails (retried_at) WHERE retry_until IS NOT NULL;
CREATE INDEX payment_mails_with_content ON payment_mails (read_at) WHERE sealed IS NOT NULL;

-- The payments that an email told of. Several emails, or an email and a typed payment, may tell of one payment.
CREATE TABLE payment_mail_links (
  mail_id bigint NOT NULL REFERENCES payment_mails (id),
  payment_id bigint NOT NULL REFERENCES payments (id),
  PRIMARY KEY (mail_id, payment_id)
);
CREATE INDEX payment_mail_links_payment ON payment_mail_links (payment_id);
