-- Only what lists show; the text itself is in post_details. created_at is the moment in the id, so both orders are one.
CREATE TABLE social.posts (
    id            BIGINT NOT NULL,
    snippet       VARCHAR(4096) NOT NULL,
    owned_by      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    reply_to      BIGINT,
    allow_likes   BOOLEAN NOT NULL,
    allow_replies BOOLEAN NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL GENERATED ALWAYS AS (to_timestamp((id >> 20) / 1000.0)) STORED,
    updated_at    TIMESTAMPTZ,
    -- With its owner, so that posts a reader must not see are left out without a look at the table.
    PRIMARY KEY (id) INCLUDE (owned_by),
    FOREIGN KEY (reply_to) REFERENCES social.posts (id) ON DELETE SET NULL
);
CREATE INDEX idx_posts_owned_by_id ON social.posts (owned_by, id);
CREATE INDEX idx_posts_reply_to_id ON social.posts (reply_to, id) INCLUDE (owned_by) WHERE reply_to IS NOT NULL;
CREATE INDEX idx_posts_root_id ON social.posts (id) INCLUDE (owned_by) WHERE reply_to IS NULL;
CREATE INDEX idx_posts_root_owned_by_id ON social.posts (owned_by, id) WHERE reply_to IS NULL;
-- Whether the reader has replied, without walking through all replies of a much discussed post.
CREATE INDEX idx_posts_owned_by_reply_to ON social.posts (owned_by, reply_to) WHERE reply_to IS NOT NULL;

CREATE TABLE social.post_details (
    post_id BIGINT PRIMARY KEY REFERENCES social.posts (id) ON DELETE CASCADE,
    content VARCHAR(65535) NOT NULL
);

CREATE TABLE social.post_tags (
    post_id  BIGINT NOT NULL REFERENCES social.posts (id) ON DELETE CASCADE,
    name     VARCHAR(50) NOT NULL,
    -- The post's owner, so that one person's posts under a tag are a walk along an index too.
    owned_by BIGINT NOT NULL,
    PRIMARY KEY (post_id, name)
);
CREATE INDEX idx_post_tags_name_post_id ON social.post_tags (name, post_id);
CREATE INDEX idx_post_tags_name_owned_by ON social.post_tags (name, owned_by, post_id);

-- Whom a post mentions, and how it spells them. What was resolved once stays, whoever takes that nickname later.
CREATE TABLE social.post_mentions (
    post_id BIGINT NOT NULL REFERENCES social.posts (id) ON DELETE CASCADE,
    name    VARCHAR(50) NOT NULL,
    user_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    PRIMARY KEY (post_id, name)
);
CREATE INDEX idx_post_mentions_user_id ON social.post_mentions (user_id);

-- Both times carry the other key behind them: two acts of the same microsecond still have one order to page by.
CREATE TABLE social.post_likes (
    post_id    BIGINT NOT NULL REFERENCES social.posts (id) ON DELETE CASCADE,
    liked_by   BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (post_id, liked_by)
);
CREATE INDEX idx_post_likes_post_id_created_at ON social.post_likes (post_id, created_at, liked_by);
CREATE INDEX idx_post_likes_liked_by_created_at ON social.post_likes (liked_by, created_at, post_id);

CREATE TABLE social.user_follows (
    follower_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    followee_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    created_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (follower_id, followee_id),
    CONSTRAINT nobody_follows_themselves CHECK (follower_id <> followee_id)
);
CREATE INDEX idx_user_follows_followee_created_at ON social.user_follows (followee_id, created_at, follower_id);
CREATE INDEX idx_user_follows_follower_created_at ON social.user_follows (follower_id, created_at, followee_id);

CREATE TABLE social.user_blocks (
    blocker_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    blocked_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (blocker_id, blocked_id),
    CONSTRAINT nobody_blocks_themselves CHECK (blocker_id <> blocked_id)
);
CREATE INDEX idx_user_blocks_blocked ON social.user_blocks (blocked_id, blocker_id);
CREATE INDEX idx_user_blocks_blocker_created_at ON social.user_blocks (blocker_id, created_at, blocked_id);

-- The home feed of each reader, ready to be read: the root posts of those they follow, and their own.
-- Filled from the event log; see the ADR on the home feed. No foreign keys: they would double the cost of a row, and what
-- is gone is taken out by its event.
CREATE TABLE social.timelines (
    user_id  BIGINT NOT NULL,
    post_id  BIGINT NOT NULL,
    owned_by BIGINT NOT NULL,
    PRIMARY KEY (user_id, post_id) INCLUDE (owned_by)
);
-- What is taken out when somebody is not followed any more, or is gone.
CREATE INDEX idx_timelines_owned_by ON social.timelines (owned_by, user_id, post_id);

-- Index-only scans live by the visibility map, so what is written all the time is vacuumed early.
ALTER TABLE social.posts SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE social.post_likes SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE social.user_follows SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE social.timelines SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);

CREATE VIEW social.post_card AS
SELECT id, owned_by, reply_to, snippet
FROM social.posts;
COMMENT ON VIEW social.post_card IS 'What other features may read and join; snippet is the stored form of the excerpt';
