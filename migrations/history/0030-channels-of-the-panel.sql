-- Which of the panel's streams a channel is: what was imported once is known again
ALTER TABLE channels ADD panel_stream text CHECK (length(panel_stream) BETWEEN 1 AND 64);
CREATE UNIQUE INDEX one_channel_a_stream ON channels (panel_stream) WHERE panel_stream IS NOT NULL;
