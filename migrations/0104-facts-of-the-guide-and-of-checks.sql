-- How viewers read the name of a source of the guide, such as the licensor of its data. Empty: it is not named.
ALTER TABLE guide_sources ADD shown_as text NOT NULL DEFAULT '' CHECK (length(shown_as) <= 60);
