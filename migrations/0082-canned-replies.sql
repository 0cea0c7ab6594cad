-- Canned replies (decision record 093)

-- Texts that administrators insert into replies. Fields such as {name} are filled in when one is inserted.
CREATE TABLE canned_replies (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 5000),
  created_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX canned_replies_name ON canned_replies (lower(name));
