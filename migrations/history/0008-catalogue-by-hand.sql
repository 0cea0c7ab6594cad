-- What administrators edit by hand: a version, so that nobody overwrites another's change unseen, and what is kept out of the public lists
ALTER TABLE plans ADD version integer NOT NULL DEFAULT 1;
ALTER TABLE channels ADD hidden boolean NOT NULL DEFAULT false, ADD version integer NOT NULL DEFAULT 1;
ALTER TABLE device_categories ADD hidden boolean NOT NULL DEFAULT false, ADD version integer NOT NULL DEFAULT 1;
ALTER TABLE faqs ADD hidden boolean NOT NULL DEFAULT false, ADD version integer NOT NULL DEFAULT 1;

-- A plan that was sold is hidden, never deleted: the one that takes its place has the same name, which follows from group and connections.
ALTER TABLE plans DROP CONSTRAINT plans_name_key;
UPDATE plans SET popular = false WHERE hidden;
ALTER TABLE plans ADD CONSTRAINT popular_is_on_sale CHECK (NOT (popular AND hidden));
CREATE UNIQUE INDEX one_plan_on_sale ON plans (tier, connections) WHERE NOT hidden;

-- Whether anything refers to a plan is asked with every list of plans
CREATE INDEX invoices_plan ON invoices (plan_id);
CREATE INDEX activations_plan ON activations (plan_id);
CREATE INDEX users_plan ON users (plan_id) WHERE plan_id IS NOT NULL;
CREATE INDEX inquiries_plan ON inquiries (plan_id) WHERE plan_id IS NOT NULL;

-- A channel somebody put on a watchlist is hidden, not deleted
ALTER TABLE watchlist DROP CONSTRAINT watchlist_channel_id_fkey,
  ADD CONSTRAINT watchlist_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id);
