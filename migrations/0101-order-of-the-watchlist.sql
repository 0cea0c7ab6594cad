-- The order that the customer gave the channels of the watchlist, from 1. Null for channels that were added since; they come first.
ALTER TABLE watchlist ADD position integer CHECK (position > 0);
