-- How viewers read the name of a source of the guide, such as the licensor of its data. Empty: it is not named.
ALTER TABLE guide_sources ADD shown_as text NOT NULL DEFAULT '' CHECK (length(shown_as) <= 60);

-- What an XMLTV file says about picture, sound and subtitles of a program, as bits (feature-rules.ts), and its rating, such as `TV-14`.
ALTER TABLE guide_programs
  ADD features smallint NOT NULL DEFAULT 0 CHECK (features >= 0),
  ADD rating text NOT NULL DEFAULT '' CHECK (length(rating) <= 20);

-- How self-checks ended, and whether a report was sent with them. The counts by day do not say who ran them.
ALTER TABLE self_checks
  ADD cause text CHECK (length(cause) BETWEEN 1 AND 30),
  ADD reported boolean NOT NULL DEFAULT false;
CREATE TABLE self_check_verdicts (
  -- The day of the checks, in UTC
  day date NOT NULL,
  cause text NOT NULL CHECK (length(cause) BETWEEN 1 AND 30),
  checks integer NOT NULL CHECK (checks > 0),
  -- How many of them were sent as a report
  reported integer NOT NULL DEFAULT 0 CHECK (reported BETWEEN 0 AND checks),
  PRIMARY KEY (day, cause)
);
