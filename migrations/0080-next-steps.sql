-- Until when a customer has put off what My Account suggests to do next, by step.
ALTER TABLE users ADD COLUMN put_off_steps jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(put_off_steps) = 'object' AND length(put_off_steps::text) <= 200);
