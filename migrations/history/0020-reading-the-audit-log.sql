-- The audit log is read newest first, whatever it is filtered by
DROP INDEX audit_log_action;
DROP INDEX audit_log_actor;
CREATE INDEX audit_log_action ON audit_log (action, at, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, at, id);
CREATE INDEX audit_log_target_type ON audit_log (target_type, at, id);
-- A target's number is searched for whatever its kind
DROP INDEX audit_log_target;
CREATE INDEX audit_log_target ON audit_log (target_id, target_type, id);
