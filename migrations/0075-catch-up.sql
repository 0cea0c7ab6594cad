-- What the panel and the plays of a channel show about its stream.
ALTER TABLE channel_streams
  -- The number of the channel on the panel, for number keys
  ADD number integer CHECK (number BETWEEN 1 AND 99999),
  -- Whether the panel has it as a transport stream only, which is cut into segments here
  ADD is_transport boolean NOT NULL DEFAULT false,
  -- The codecs that its program map names; null while unknown or for none
  ADD video text CHECK (video IN ('mpeg1', 'mpeg2', 'mpeg4', 'h264', 'hevc')),
  ADD audio text CHECK (audio IN ('mp2', 'aac', 'ac3', 'eac3'));

-- How far back a right covers the archive; 0 for live only.
ALTER TABLE channel_rights ADD archive_hours integer NOT NULL DEFAULT 0 CHECK (archive_hours BETWEEN 0 AND 8784);

ALTER TABLE plays
  -- The process that cuts the stream into segments: the name of its machine and its port there
  ADD relay text CHECK (length(relay) <= 300),
  -- For a recording: where it begins, and the program that it shows
  ADD starts_from timestamptz,
  ADD program_from timestamptz,
  ADD program_to timestamptz,
  ADD CHECK ((starts_from IS NULL) = (program_from IS NULL) AND (starts_from IS NULL) = (program_to IS NULL)),
  ADD CHECK (program_to > program_from);

-- What was learned about the panels that lines are on.
CREATE TABLE stream_panels (
  -- Host and port
  host text PRIMARY KEY CHECK (length(host) <= 260),
  -- How it writes addresses of recordings; null before one has played
  archive_form text CHECK (archive_form IN ('colon', 'underscore', 'seconds', 'utc', 'query')),
  -- Its time zone, and its difference from UTC in minutes, which is true on the day it was read
  zone text CHECK (length(zone) <= 60),
  offset_minutes integer CHECK (offset_minutes BETWEEN -840 AND 840),
  clock_read_at timestamptz
);
