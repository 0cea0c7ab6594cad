-- The draft of the brand and the versions that were published. What is public is in the setting `site`.
CREATE TABLE brand_versions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  value jsonb NOT NULL CHECK (jsonb_typeof(value) = 'object'),
  -- Null: the draft
  published_at timestamptz,
  saved_by integer REFERENCES users (id),
  saved_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX one_brand_draft ON brand_versions ((true)) WHERE published_at IS NULL;
