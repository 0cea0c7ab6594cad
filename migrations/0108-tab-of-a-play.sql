-- A random id of the page that opened the play or changed its channel last, so that the page recognizes its own requests. NULL: not a page of this site.
ALTER TABLE plays ADD tab text CHECK (length(tab) BETWEEN 1 AND 40);
