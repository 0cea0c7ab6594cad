-- What a change of plan was priced by: plan and dates of the subscription when it was asked for.
ALTER TABLE invoices ADD priced_from jsonb CHECK (priced_from IS NULL OR kind = 'plan_change');
