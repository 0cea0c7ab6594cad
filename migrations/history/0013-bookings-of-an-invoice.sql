-- Dialogs ask for the bookings of one invoice; the ledger grows for ever.
CREATE INDEX credit_transactions_invoice ON credit_transactions (related_invoice_id) WHERE related_invoice_id IS NOT NULL;
