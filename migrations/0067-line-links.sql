-- A one-time link to the TV login, to open it on another device. It works while the session that created it is logged in.
ALTER TABLE lines
  ADD COLUMN link_hash bytea CHECK (length(link_hash) = 32),
  ADD COLUMN link_expires_at timestamptz,
  ADD COLUMN link_session_id bigint,
  ADD CHECK ((link_hash IS NULL) = (link_expires_at IS NULL) AND (link_hash IS NULL) = (link_session_id IS NULL));
CREATE UNIQUE INDEX lines_link ON lines (link_hash) WHERE link_hash IS NOT NULL;
