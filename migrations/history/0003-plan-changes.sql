-- A change to a plan of the same length keeps the running period; one to another length starts a new period when paid.
ALTER TABLE invoices ADD keeps_period boolean NOT NULL DEFAULT false;
ALTER TABLE activations ADD keeps_period boolean NOT NULL DEFAULT false;
