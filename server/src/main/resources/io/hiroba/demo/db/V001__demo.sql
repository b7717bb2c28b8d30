-- How far the demo community is filled. One row at most: it is filled once.
CREATE TABLE demo.filling (
    only_one    BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_one),
    began_at    TIMESTAMPTZ NOT NULL,
    acts_done   INT NOT NULL DEFAULT 0,
    finished_at TIMESTAMPTZ
);
COMMENT ON COLUMN demo.filling.began_at IS 'The present of the demo: all its acts lie before it, also when it is taken up later';

-- What the people and posts of the script became. No foreign keys: deleting them needs no leave from here.
CREATE TABLE demo.made (
    name VARCHAR(100) PRIMARY KEY,
    id   BIGINT NOT NULL
);
