CREATE VIEW accounts.user_zone AS
SELECT id AS user_id, time_zone
FROM accounts.users;
COMMENT ON VIEW accounts.user_zone IS 'Which days somebody lives by, for other features to join; no zone means the server''s';
