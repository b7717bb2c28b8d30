-- Null until it is chosen: pages are in the browser's language then.
ALTER TABLE accounts.users ADD COLUMN language VARCHAR(10);

CREATE OR REPLACE VIEW accounts.user_zone AS
SELECT id AS user_id, time_zone, language
FROM accounts.users;
COMMENT ON VIEW accounts.user_zone IS 'Which days somebody lives by and which language they read, for other features to join; no zone means the server''s, no language English';
