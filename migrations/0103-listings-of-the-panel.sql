-- A channel without an XMLTV file shows what the panel lists for it. These listings belong to no source; their XMLTV id is the id of the channel.
ALTER TABLE guide_channels ALTER source_id DROP NOT NULL;
CREATE UNIQUE INDEX guide_channels_of_panel ON guide_channels (xmltv_id) WHERE source_id IS NULL;
ALTER TABLE channel_guides
  DROP CONSTRAINT channel_guides_matched_check,
  ADD CONSTRAINT channel_guides_matched_check CHECK (matched IN ('id', 'name', 'hand', 'panel'));

-- When the panel was last asked for the listings of a channel. All processes count their calls here. Unlogged, because it only limits the calls.
CREATE UNLOGGED TABLE panel_guide_calls (
  channel_id integer PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  asked_at timestamptz NOT NULL,
  -- Until when the call runs at most; null if it has ended
  busy_until timestamptz
);
