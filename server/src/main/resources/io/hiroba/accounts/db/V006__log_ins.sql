-- Log-ins with a password, also of sessions that have ended; the id is the session's, with the moment in it.
CREATE TABLE accounts.log_ins (
    user_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    id      BIGINT NOT NULL,
    address VARCHAR(50) NOT NULL,
    agent   VARCHAR(300) NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX idx_log_ins_id ON accounts.log_ins (id);
