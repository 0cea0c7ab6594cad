-- Pictures attached to messages of tickets (decision record 093).
CREATE TABLE ticket_pictures (
  -- Random: it is part of the address
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The user who uploaded it, until it is sent with a message
  uploaded_by integer REFERENCES users (id) ON DELETE CASCADE,
  message_id integer REFERENCES ticket_messages (id) ON DELETE CASCADE,
  position integer CHECK (position BETWEEN 1 AND 3),
  -- WebP, encoded by the server: the whole picture, and a small one for the thread
  bytes bytea NOT NULL,
  small bytea NOT NULL,
  width integer NOT NULL CHECK (width BETWEEN 1 AND 2000),
  height integer NOT NULL CHECK (height BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT uploaded_or_sent CHECK ((uploaded_by IS NULL) = (message_id IS NOT NULL)),
  CONSTRAINT sent_at_a_position CHECK ((message_id IS NULL) = (position IS NULL))
);
CREATE UNIQUE INDEX ticket_pictures_message ON ticket_pictures (message_id, position);
CREATE INDEX ticket_pictures_uploaded_by ON ticket_pictures (uploaded_by) WHERE uploaded_by IS NOT NULL;
CREATE INDEX ticket_pictures_unsent ON ticket_pictures (created_at) WHERE message_id IS NULL;
