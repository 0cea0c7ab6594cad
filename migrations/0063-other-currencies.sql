-- Payments that the sums of the desk do not add to the US dollars that came in
CREATE INDEX payments_summed_apart ON payments (id) INCLUDE (currency, direction) WHERE currency <> 'USD' OR direction = 'reversal';
