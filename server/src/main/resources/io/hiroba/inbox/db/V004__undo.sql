-- What "mark all as done" has finished, as it was before, so that an undo brings back exactly that. Written with each batch of it,
-- and taken with each batch of the undo. There is no foreign key to the items: an entry without one is never used, and goes in a day.
CREATE TABLE inbox.undo_entries (
    user_id       BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    run_id        UUID NOT NULL,
    item_id       BIGINT NOT NULL,
    state         SMALLINT NOT NULL CHECK (state IN (0, 1)),
    snoozed_until TIMESTAMPTZ,
    snoozed_event VARCHAR(10),
    resolved_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, run_id, item_id)
);
COMMENT ON COLUMN inbox.undo_entries.resolved_at IS 'When the run has done it: an item that was done at another time is another act''s';
