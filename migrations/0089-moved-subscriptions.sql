-- Subscriptions that an administrator moved to another account (decision record 097).

CREATE TABLE subscription_moves (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  to_user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The edit that withdrew the time, and the one that granted it. Both are undone together.
  from_activation bigint NOT NULL REFERENCES activations (id) ON DELETE CASCADE,
  to_activation bigint NOT NULL REFERENCES activations (id) ON DELETE CASCADE,
  created_by integer NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  undone_at timestamptz,
  CONSTRAINT moved_to_another_account CHECK (from_user_id <> to_user_id)
);
CREATE UNIQUE INDEX subscription_moves_from ON subscription_moves (from_activation);
CREATE UNIQUE INDEX subscription_moves_to ON subscription_moves (to_activation);
CREATE INDEX subscription_moves_from_user ON subscription_moves (from_user_id);
CREATE INDEX subscription_moves_to_user ON subscription_moves (to_user_id);
