-- Payments that the sums of the desk cannot add to the US dollars
CREATE INDEX payments_other_currency ON payments (id) INCLUDE (currency) WHERE currency <> 'USD';
