-- Who has no end stands behind all who have one
CREATE INDEX users_by_end ON users (coalesce(subscription_end_date, 'infinity'), id);
