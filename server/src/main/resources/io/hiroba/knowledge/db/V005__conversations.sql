-- Conversations of people with the assistant. An exchange is a question with its answer in one row, so that there is never one
-- without a place for the other (ADR 86).
CREATE TABLE knowledge.conversations (
    id             BIGINT PRIMARY KEY,
    owned_by       BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    title          TEXT NOT NULL CHECK (length(title) <= 200),
    is_shared      BOOLEAN NOT NULL DEFAULT false,
    filters        JSONB NOT NULL DEFAULT '{}'::jsonb,
    exchange_count INT NOT NULL DEFAULT 0,
    created_at     TIMESTAMPTZ NOT NULL,
    last_active_at TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN knowledge.conversations.is_shared IS 'Whether members who have its link may read it';
COMMENT ON COLUMN knowledge.conversations.filters IS 'The filters of its searches, as in the API';
CREATE INDEX idx_conversations_owner ON knowledge.conversations (owned_by, last_active_at DESC, id DESC);

CREATE TABLE knowledge.conversation_exchanges (
    conversation_id BIGINT NOT NULL REFERENCES knowledge.conversations (id) ON DELETE CASCADE,
    exchange_index  INT NOT NULL,
    question        TEXT NOT NULL,
    asked_at        TIMESTAMPTZ NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('waiting', 'answering', 'answered', 'stopped', 'interrupted')),
    attempt         INT NOT NULL DEFAULT 0,
    answering_until TIMESTAMPTZ,
    is_generated    BOOLEAN NOT NULL DEFAULT false,
    answer          TEXT NOT NULL DEFAULT '',
    why             TEXT,
    citations       JSONB NOT NULL DEFAULT '[]'::jsonb,
    PRIMARY KEY (conversation_id, exchange_index)
) WITH (fillfactor = 70);
COMMENT ON COLUMN knowledge.conversation_exchanges.attempt IS 'The fence of who answers: a regenerated answer has the next number';
COMMENT ON COLUMN knowledge.conversation_exchanges.answering_until IS
    'The end of the lease of who answers; an answer whose lease is over is interrupted';
COMMENT ON COLUMN knowledge.conversation_exchanges.is_generated IS 'Whether a model answered; otherwise sentences were extracted';
COMMENT ON COLUMN knowledge.conversation_exchanges.citations IS
    'Number, source and chunk of each passage; the text is read when somebody who may read it looks';

-- The chat model that admins chose among the configured ones; no row means the first.
CREATE TABLE knowledge.chat_model_choice (
    only_row  BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_row),
    name      TEXT NOT NULL,
    chosen_at TIMESTAMPTZ NOT NULL
);
