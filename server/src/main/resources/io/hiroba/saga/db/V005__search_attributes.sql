-- The search attributes of sagas: one value of one type each, with an index for each type. Ordered by bytes, as they are compared
-- with what was typed.
CREATE TABLE saga.saga_attributes (
    saga_id       UUID        NOT NULL REFERENCES saga.saga_states (id) ON DELETE CASCADE,
    name          VARCHAR(64) COLLATE "C" NOT NULL,
    text_value    VARCHAR(255) COLLATE "C",
    number_value  NUMERIC,
    boolean_value BOOLEAN,
    date_value    TIMESTAMPTZ,
    PRIMARY KEY (saga_id, name),
    CONSTRAINT chk_saga_attributes_value CHECK (num_nonnulls(text_value, number_value, boolean_value, date_value) = 1)
);

CREATE INDEX idx_saga_attributes_text ON saga.saga_attributes (name, text_value, saga_id) WHERE text_value IS NOT NULL;
CREATE INDEX idx_saga_attributes_number ON saga.saga_attributes (name, number_value, saga_id) WHERE number_value IS NOT NULL;
CREATE INDEX idx_saga_attributes_boolean ON saga.saga_attributes (name, boolean_value, saga_id) WHERE boolean_value IS NOT NULL;
CREATE INDEX idx_saga_attributes_date ON saga.saga_attributes (name, date_value, saga_id) WHERE date_value IS NOT NULL;
