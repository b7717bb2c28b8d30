-- When the password was given last in a session; null for sessions from before, which ask for it.
ALTER TABLE accounts.sessions ADD COLUMN confirmed_at TIMESTAMPTZ;
