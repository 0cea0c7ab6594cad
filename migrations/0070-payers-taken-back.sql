-- How often a payment of this payer was taken back: the mark stays until each of these decisions is undone.
ALTER TABLE payer_identities ADD COLUMN taken_back integer NOT NULL DEFAULT 0 CHECK (taken_back >= 0);
UPDATE payer_identities SET taken_back = 1 WHERE taken_back_at IS NOT NULL;
ALTER TABLE payer_identities DROP COLUMN taken_back_at;
