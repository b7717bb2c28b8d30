-- Sagas that a step of another started, and sagas that go on as another (ADR 91). There are no foreign keys: the archive may take
-- either of two first.
ALTER TABLE saga.saga_states
    ADD COLUMN parent_id      UUID,
    ADD COLUMN parent_step    INT,
    ADD COLUMN child_index    INT,
    -- How many children the step has in all.
    ADD COLUMN child_count    INT,
    -- The first ancestor: the tree stays in the tables as long as that does, since it may be undone until then.
    ADD COLUMN root_id        UUID,
    ADD COLUMN depth          SMALLINT NOT NULL DEFAULT 0,
    ADD COLUMN continued_from UUID,
    ADD COLUMN continued_as   UUID,
    -- The rows that are there have no parent: they need no look.
    ADD CONSTRAINT chk_saga_states_child
        CHECK (num_nonnulls(parent_id, parent_step, child_index, child_count, root_id) IN (0, 5)) NOT VALID;

-- Whatever two nodes believe, a child is started once.
CREATE UNIQUE INDEX idx_saga_states_child ON saga.saga_states (parent_id, parent_step, child_index)
    WHERE parent_id IS NOT NULL;
-- What is left to wait for and to undo is found without reading thousands that are done.
CREATE INDEX idx_saga_states_child_status ON saga.saga_states (parent_id, parent_step, status, child_index)
    WHERE parent_id IS NOT NULL;
CREATE INDEX idx_saga_states_parent ON saga.saga_states (parent_id, id) WHERE parent_id IS NOT NULL;
