-- Whether a plan is in use is asked before it is removed, and the foreign key asks the same.
CREATE INDEX segments_plan ON segments (plan_id);
-- Differences with the panel that are repaired together.
CREATE INDEX line_drift_open ON line_drift (kind, id) WHERE NOT kept;
