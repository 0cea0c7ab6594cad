-- Streams that browsers load from servers of the panel: whether it is on, and the hosts that pages may load them from (with a port unless it is 443).
ALTER TABLE watching
  ADD direct_enabled boolean NOT NULL DEFAULT false,
  ADD direct_hosts text[] NOT NULL DEFAULT '{}' CHECK (cardinality(direct_hosts) <= 20),
  ADD CHECK (NOT direct_enabled OR cardinality(direct_hosts) > 0);

-- Whether the stream of a play comes from the panel directly, else why not (direct-rules.ts). NULL: that was off, or the stream is not open yet.
ALTER TABLE plays ADD direct text CHECK (length(direct) BETWEEN 1 AND 30);
