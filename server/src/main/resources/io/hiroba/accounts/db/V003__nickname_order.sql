-- Lists of users, and those whose nickname begins with something; idx_users_nickname_id finds whole nicknames.
CREATE INDEX idx_users_nickname_order
    ON accounts.users (nickname COLLATE platform.base_letters, nickname COLLATE platform.names, id);
