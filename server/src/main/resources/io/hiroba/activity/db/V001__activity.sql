-- A card: what happened to one resource of one reader on one day. Filled from the event log; see the ADR on cards.
CREATE TABLE activity.notifications (
    user_id    BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    slot       VARCHAR(50) NOT NULL,
    term       VARCHAR(50) NOT NULL,
    is_read    BOOLEAN NOT NULL DEFAULT FALSE,
    payload    JSONB NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, slot, term)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON COLUMN activity.notifications.slot IS 'follow, like:{postId}, reply:{postId} or mention:{postId}';
COMMENT ON COLUMN activity.notifications.term IS 'The date in the time zone that the reader had when it happened';
CREATE INDEX idx_notifications_user_read_ts ON activity.notifications (user_id, is_read, updated_at);
CREATE INDEX idx_notifications_created_at ON activity.notifications (created_at);

-- The acts that a card counts, once they are more than its payload has room for; a card with fewer has no rows here.
CREATE TABLE activity.card_acts (
    user_id  BIGINT NOT NULL,
    slot     VARCHAR(50) NOT NULL,
    term     VARCHAR(50) NOT NULL,
    actor_id BIGINT NOT NULL,
    post_id  BIGINT NOT NULL,
    ts       BIGINT NOT NULL,
    PRIMARY KEY (user_id, slot, term, actor_id, post_id),
    FOREIGN KEY (user_id, slot, term) REFERENCES activity.notifications (user_id, slot, term) ON DELETE CASCADE
);
COMMENT ON COLUMN activity.card_acts.post_id IS 'The reply or the post with the mention; 0 for a follow or a like';
COMMENT ON COLUMN activity.card_acts.ts IS 'When it was done, in milliseconds since 1970';
-- The condition always holds, but only a query for the newest says so: one for a single act must not take this index and
-- walk along all acts of the card, which looks as cheap as the primary key to a planner that takes columns for independent.
CREATE INDEX idx_card_acts_newest ON activity.card_acts (user_id, slot, term, ts, actor_id, post_id) WHERE ts > 0;

-- What somebody wants to be told; who has no row wants everything, and no mail.
CREATE TABLE activity.preferences (
    user_id        BIGINT PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    muted_kinds    VARCHAR(10)[] NOT NULL DEFAULT '{}'
                   CHECK (muted_kinds <@ ARRAY['follow', 'like', 'reply', 'mention']::VARCHAR(10)[]),
    digest         VARCHAR(6) NOT NULL DEFAULT 'off' CHECK (digest IN ('off', 'daily', 'weekly')),
    next_digest_at TIMESTAMPTZ,
    digested_until TIMESTAMPTZ,
    CHECK ((digest = 'off') = (next_digest_at IS NULL))
);
CREATE INDEX idx_preferences_next_digest_at ON activity.preferences (next_digest_at) WHERE next_digest_at IS NOT NULL;
COMMENT ON COLUMN activity.preferences.digested_until IS 'The newest updated_at that a digest has told of';

CREATE TABLE activity.muted_people (
    user_id    BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    person_id  BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, person_id),
    CHECK (user_id <> person_id)
);
CREATE INDEX idx_muted_people_person ON activity.muted_people (person_id);
CREATE INDEX idx_muted_people_created_at ON activity.muted_people (user_id, created_at, person_id);

-- No foreign key to posts, which are another feature's: the event that a post or its owner is gone takes its rows along.
CREATE TABLE activity.muted_posts (
    user_id    BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    post_id    BIGINT NOT NULL,
    owner_id   BIGINT NOT NULL,
    likes      BOOLEAN NOT NULL,
    replies    BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, post_id),
    CHECK (likes OR replies)
);
COMMENT ON TABLE activity.muted_posts IS 'Both likes and replies means all of it, mentions too';
CREATE INDEX idx_muted_posts_post ON activity.muted_posts (post_id);
CREATE INDEX idx_muted_posts_owner ON activity.muted_posts (owner_id);
CREATE INDEX idx_muted_posts_created_at ON activity.muted_posts (user_id, created_at, post_id);

-- Who wants to be told of the replies to a post of somebody else. Who does not any more is kept for a while: that a reply
-- is gone must still reach the cards that tell of it.
CREATE TABLE activity.followed_posts (
    user_id    BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    post_id    BIGINT NOT NULL,
    owner_id   BIGINT NOT NULL,
    active     BOOLEAN NOT NULL DEFAULT TRUE,
    changed_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, post_id)
);
CREATE INDEX idx_followed_posts_post ON activity.followed_posts (post_id, user_id);
CREATE INDEX idx_followed_posts_owner ON activity.followed_posts (owner_id);
CREATE INDEX idx_followed_posts_changed_at ON activity.followed_posts (user_id, changed_at, post_id) WHERE active;
CREATE INDEX idx_followed_posts_dropped ON activity.followed_posts (changed_at) WHERE NOT active;

-- Cards begin now. Of what was told before, nobody was told when it was taken back.
INSERT INTO platform.event_log_cursors (consumer, partition_id, last_event_id)
SELECT 'cards', partition.id, drawn.last_value
FROM generate_series(0, 255) AS partition (id), platform.event_ids AS drawn;
