-- Undoing an import deletes activations and accounts. Without these indexes, each deletion would scan the ledger and the segments: those that
-- exist have other conditions than the checks of the foreign keys.
CREATE INDEX credit_transactions_activation ON credit_transactions (activation_id) WHERE activation_id IS NOT NULL;
CREATE INDEX segments_of_user ON segments (user_id);
