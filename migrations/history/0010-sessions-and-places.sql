-- A number by which a user can name a session without knowing its token
ALTER TABLE sessions ADD id bigint NOT NULL GENERATED ALWAYS AS IDENTITY;
CREATE UNIQUE INDEX sessions_number ON sessions (id);

-- From where a user has logged in before, as a hash of device and network: the first login from elsewhere is told by mail
CREATE TABLE login_places (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  place bytea NOT NULL CHECK (length(place) = 32),
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, place)
);
