-- How viewers read the name of a source of the guide, such as the licensor of its data. Empty: it is not named.
ALTER TABLE guide_sources ADD shown_as text NOT NULL DEFAULT '' CHECK (length(shown_as) <= 60);

-- What an XMLTV file says about picture, sound and subtitles of a program, as bits (feature-rules.ts), and its rating, such as `TV-14`.
ALTER TABLE guide_programs
  ADD features smallint NOT NULL DEFAULT 0 CHECK (features >= 0),
  ADD rating text NOT NULL DEFAULT '' CHECK (length(rating) <= 20);
