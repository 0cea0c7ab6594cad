-- The views of admin lists that administrators saved: search, filters and order as in the address of the page, and the hidden columns
CREATE TABLE saved_views (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  list text NOT NULL CHECK (length(list) BETWEEN 2 AND 40),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  query jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(query) = 'object'),
  hidden_columns jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(hidden_columns) = 'array'),
  shared boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (owner_id, list, lower(name));
CREATE INDEX saved_views_shared ON saved_views (list) WHERE shared;
