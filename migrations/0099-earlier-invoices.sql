-- Invoices of another system, imported as history (decision record 086). They are no rows of `invoices`, so that no figure, ledger or plan change
-- counts them. Amounts are cents.
CREATE TABLE earlier_invoices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  run_id integer NOT NULL REFERENCES import_runs (id),
  -- In the other system
  number text NOT NULL CHECK (length(number) BETWEEN 1 AND 64),
  issued_on date NOT NULL,
  description text CHECK (length(description) BETWEEN 1 AND 500),
  amount integer NOT NULL CHECK (amount BETWEEN 0 AND 10000000),
  status text NOT NULL CHECK (status IN ('paid', 'unpaid', 'cancelled', 'refunded'))
);
CREATE UNIQUE INDEX earlier_invoices_number ON earlier_invoices (user_id, number);
CREATE INDEX earlier_invoices_list ON earlier_invoices (user_id, issued_on, id);
CREATE INDEX earlier_invoices_run ON earlier_invoices (run_id);

ALTER TABLE import_runs ADD COLUMN kind text NOT NULL DEFAULT 'customers' CHECK (kind IN ('customers', 'invoices')),
  ADD CONSTRAINT emails_to_customers CHECK (kind = 'customers' OR emails_since IS NULL);

ALTER TABLE import_rows
  -- The customer's id in the other system
  ADD COLUMN other_id text CHECK (length(other_id) BETWEEN 1 AND 64),
  ADD COLUMN invoice_number text,
  ADD COLUMN invoice_date date,
  ADD COLUMN invoice_cents integer,
  ADD COLUMN invoice_status text CHECK (invoice_status IN ('paid', 'unpaid', 'cancelled', 'refunded')),
  ADD COLUMN invoice_description text,
  ADD CONSTRAINT invoice_is_complete CHECK (verdict = 'refused' OR invoice_number IS NULL
    OR (invoice_date IS NOT NULL AND invoice_cents IS NOT NULL AND invoice_status IS NOT NULL)),
  -- The account of an invoice is known from the check on.
  DROP CONSTRAINT created_an_account,
  ADD CONSTRAINT created_an_account CHECK (CASE WHEN verdict IN ('created', 'undone', 'kept') THEN user_id IS NOT NULL
    ELSE user_id IS NULL OR invoice_number IS NOT NULL END);
-- Finds the account of a customer's id. Rows of invoices have the id too, and are left out.
CREATE INDEX import_rows_other_id ON import_rows (other_id) WHERE other_id IS NOT NULL AND invoice_number IS NULL;
