-- Where the files of all nodes are kept: the id of a folder, which also lies in it, or the name of a bucket. A node that
-- keeps them elsewhere would miss those of the others, so it does not start (ADR 58).
CREATE TABLE platform.storage_places (
    purpose       TEXT        PRIMARY KEY,
    place         TEXT        NOT NULL,
    remembered_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
