-- When the customer said that the line plays. Until then the account leads them through the setup. Customers of existing lines are set up.
ALTER TABLE lines ADD COLUMN used_at timestamptz;
UPDATE lines SET used_at = now() WHERE line_ref IS NOT NULL;
