-- An administrator who looks at the site as a customer does: a session of its own, short, and with their name on it
ALTER TABLE sessions
  ADD impersonated_by integer REFERENCES users (id) ON DELETE CASCADE,
  ADD CHECK (impersonated_by <> user_id);
CREATE INDEX sessions_impersonator ON sessions (impersonated_by) WHERE impersonated_by IS NOT NULL;
