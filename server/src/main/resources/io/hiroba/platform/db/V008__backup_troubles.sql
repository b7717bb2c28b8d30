-- What is wrong with the backups that the server makes, while it is: admins are told when a row comes and when it goes (ADR 118).
CREATE TABLE platform.backup_troubles (
    kind  TEXT        PRIMARY KEY,
    since TIMESTAMPTZ NOT NULL
);
