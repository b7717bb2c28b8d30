-- Direct messages (ADR 126): private threads of two to ten members.
CREATE TABLE social.message_threads (
    id          BIGINT  PRIMARY KEY,
    -- The members of a thread of two, the lower id first, of which there is one; null in a group.
    pair_low    BIGINT,
    pair_high   BIGINT,
    -- The number of the newest message. Whoever writes one holds this row, so that numbers become visible in their order.
    last_number INTEGER NOT NULL DEFAULT 0,
    CHECK ((pair_low IS NULL) = (pair_high IS NULL)),
    CHECK (pair_low < pair_high)
);
CREATE UNIQUE INDEX idx_message_threads_pair ON social.message_threads (pair_low, pair_high) WHERE pair_low IS NOT NULL;

CREATE TABLE social.message_members (
    thread_id       BIGINT  NOT NULL REFERENCES social.message_threads (id) ON DELETE CASCADE,
    user_id         BIGINT  NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    -- The newest message that the member has read, by its number, and how many came since.
    read_number     INTEGER NOT NULL DEFAULT 0,
    unread          INTEGER NOT NULL DEFAULT 0 CHECK (unread >= 0),
    -- The newest message that the member sees, by which threads are ordered; the thread's own id until there is one.
    last_message_id BIGINT  NOT NULL,
    PRIMARY KEY (thread_id, user_id)
) WITH (fillfactor = 80);
CREATE INDEX idx_message_members_list ON social.message_members (user_id, last_message_id, thread_id);
CREATE INDEX idx_message_members_unread ON social.message_members (user_id) WHERE unread > 0;

CREATE TABLE social.messages (
    id        BIGINT   PRIMARY KEY,
    thread_id BIGINT   NOT NULL REFERENCES social.message_threads (id) ON DELETE CASCADE,
    number    INTEGER  NOT NULL,
    sender_id BIGINT   NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    content   TEXT     NOT NULL,
    -- The path of what an agent is asked about.
    about     VARCHAR(500),
    -- Its words, and a mark for each member of then: no index entry of a word leads to another's messages.
    tokens    TSVECTOR NOT NULL,
    UNIQUE (thread_id, number)
);
CREATE INDEX idx_messages_sender_id ON social.messages (sender_id, id);
CREATE INDEX idx_messages_tokens ON social.messages USING gin (tokens);
