-- The planner read tables row by row and called this function for each row, which is slower than its cost said. Starting parallel workers for a
-- search of one or two characters takes longer than the search.
ALTER FUNCTION short_pieces(text) COST 10000 PARALLEL RESTRICTED;
