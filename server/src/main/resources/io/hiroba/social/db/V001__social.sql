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

-- An uploaded picture. Its files are named after it, so this row is all there is to know. It is served once finished.
CREATE TABLE social.images (
    owner_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    id       BIGINT NOT NULL,
    purpose  VARCHAR(10) NOT NULL CHECK (purpose IN ('image', 'avatar')),
    encoding VARCHAR(4) NOT NULL CHECK (encoding IN ('jpg', 'png')),
    width    INTEGER NOT NULL CHECK (width > 0),
    height   INTEGER NOT NULL CHECK (height > 0),
    bytes    BIGINT NOT NULL CHECK (bytes > 0),
    month    DATE NOT NULL,
    finished BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (owner_id, id)
);
COMMENT ON COLUMN social.images.bytes IS 'The size of the uploaded file, which was counted in media_use for the month';
CREATE INDEX idx_images_id ON social.images (id);
CREATE INDEX idx_images_unfinished ON social.images (id) WHERE NOT finished;

-- What somebody uploaded in a month. Deleting an image does not give its bytes back, so this is no sum over images.
CREATE TABLE social.media_use (
    owner_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    month    DATE NOT NULL,
    bytes    BIGINT NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (owner_id, month)
);
COMMENT ON COLUMN social.media_use.month IS 'Its first day, in UTC';

-- Pictures whose rows are gone and whose files are to go. No foreign key: the owner may be gone too.
CREATE TABLE social.media_deletions (
    owner_id BIGINT NOT NULL,
    image_id BIGINT NOT NULL,
    encoding VARCHAR(4) NOT NULL,
    due_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (owner_id, image_id)
);
CREATE INDEX idx_media_deletions_due_at ON social.media_deletions (due_at);

-- However a row goes, with its owner's account too, its files follow. Those of an unfinished one may still be being
-- written, so they are given the time after which an upload is taken for dead.
CREATE FUNCTION social.queue_media_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.media_deletions (owner_id, image_id, encoding, due_at)
    VALUES (OLD.owner_id, OLD.id, OLD.encoding,
            CASE WHEN OLD.finished THEN '-infinity' ELSE to_timestamp((OLD.id >> 20) / 1000.0) + INTERVAL '1 hour' END)
    ON CONFLICT (owner_id, image_id) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER images_deleted AFTER DELETE ON social.images
    FOR EACH ROW EXECUTE FUNCTION social.queue_media_deletion();

-- What posts are found by; filled from the event log, so that posting pays nothing. See the ADR on search. The tokens
-- stay in the row, uncompressed, as far as they fit: checking phrases and ranking read them by the thousand.
CREATE TABLE social.post_search (
    post_id  BIGINT PRIMARY KEY REFERENCES social.posts (id) ON DELETE CASCADE,
    owned_by BIGINT NOT NULL,
    tokens   TSVECTOR NOT NULL,
    analysis SMALLINT NOT NULL
) WITH (toast_tuple_target = 8160);
COMMENT ON COLUMN social.post_search.tokens IS 'Made by the program: PostgreSQL''s own parser knows no Japanese';
COMMENT ON COLUMN social.post_search.analysis IS 'The version of the analysis; 0: not analysed yet';

-- What an older analysis has made is found here and made anew.
CREATE INDEX idx_post_search_analysis ON social.post_search (analysis, post_id DESC);

-- The stretches of time a post lies in, from 4 seconds to 50 days, each 16 times as long as the one before. They stand
-- in the same index as the words: whoever looks for a word in one stretch reads no more than the rarer of the two.
CREATE FUNCTION social.search_slices(post BIGINT) RETURNS BIGINT[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY[
    post >> 32 << 6 | 32, post >> 36 << 6 | 36, post >> 40 << 6 | 40,
    post >> 44 << 6 | 44, post >> 48 << 6 | 48, post >> 52 << 6 | 52];

-- Without a pending list, which every search would have to read from end to end.
CREATE INDEX idx_post_search_tokens ON social.post_search USING gin (tokens, social.search_slices(post_id))
    WITH (fastupdate = off);

-- A window of matches: the newest `max_matches` posts below `below` and not below `down_to` that match and that the viewer may
-- see, with the score to order them by. A score is the binary logarithm of the relevance plus the age in half-lives: it
-- never changes with the clock. The last row has `reached` alone: what is below has not been scanned.
--
-- `keys` is what the index can say of `matching` by itself, without the order of words. The scan goes from the newest
-- backwards, slice by slice, takes longer slices as long as few posts have the keys, and shorter ones where they are too
-- many: what it reads depends on what it returns, not on how many posts hold a word. Where the keys are everywhere and
-- nothing matches, it stops after `max_scanned` posts.
CREATE FUNCTION social.search_window(
    matching tsquery, keys tsquery, words tsquery, viewer BIGINT,
    below BIGINT, down_to BIGINT, max_matches INT, max_scanned INT, half_life_days FLOAT8)
RETURNS TABLE (post_id BIGINT, score BIGINT, reached BIGINT)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    hidden  BIGINT[] := ARRAY(
        SELECT b.blocked_id FROM social.user_blocks b WHERE b.blocker_id = viewer
        UNION ALL
        SELECT b.blocker_id FROM social.user_blocks b WHERE b.blocked_id = viewer);
    -- Right above the next post that there is: time in which nobody wrote costs nothing.
    top     BIGINT;
    shift   INT := 32;
    slice   BIGINT;
    -- Above this, longer slices have proved too long.
    dense   BIGINT := below;
    holders INT;
    matches BIGINT[];
    scanned  BIGINT := 0;
    found   INT := 0;
BEGIN
    IF matching IS NOT NULL THEN
        top := (SELECT max(s.post_id) + 1 FROM social.post_search s WHERE s.post_id < below AND s.post_id >= down_to);
    END IF;
    WHILE top IS NOT NULL LOOP
        slice := (top - 1) >> shift;
        SELECT count(*),
               array_agg(c.post_id) FILTER (
                   WHERE (keys = matching OR c.tokens @@ matching) AND c.owned_by <> ALL (hidden))
        INTO holders, matches
        FROM (SELECT s.post_id, s.owned_by, s.tokens
              FROM social.post_search s
              -- The sums keep the primary key out of it: this is for the one index, whatever the planner believes.
              WHERE s.tokens @@ keys
                AND social.search_slices(s.post_id) @> ARRAY[slice << 6 | shift]
                AND s.post_id + 0 < top
                AND s.post_id + 0 >= down_to
              LIMIT CASE WHEN shift > 32 THEN max_matches * 4 + 1 END) AS c;
        scanned := scanned + holders;
        IF shift > 32 AND holders > max_matches * 4 THEN
            dense := slice << shift;
            shift := shift - 4;
            CONTINUE;
        END IF;
        matches := ARRAY(SELECT m.id FROM unnest(matches) AS m (id) ORDER BY m.id DESC LIMIT max_matches - found);
        RETURN QUERY
        SELECT s.post_id,
               ((ln(greatest(ts_rank(s.tokens, words, 1), 0.0001)::float8) / ln(2::float8)
                   + (s.post_id >> 20) / (86400000.0 * half_life_days)) * 1000000)::bigint,
               NULL::bigint
        FROM unnest(matches) AS m (id)
        JOIN social.post_search s ON s.post_id = m.id;
        found := found + cardinality(matches);
        IF found >= max_matches THEN
            top := matches[cardinality(matches)];
            EXIT;
        END IF;
        top := slice << shift;
        IF holders * 16 <= max_matches AND shift < 52 AND top <= dense THEN
            shift := shift + 4;
        END IF;
        top := (SELECT max(s.post_id) + 1 FROM social.post_search s WHERE s.post_id < top AND s.post_id >= down_to);
        EXIT WHEN scanned >= max_scanned;
    END LOOP;
    RETURN QUERY SELECT NULL::bigint, NULL::bigint, coalesce(top, down_to);
END
$$;

-- The versions of the analysis for which all posts without a row have been given one. Deleting one repeats the backfill.
CREATE TABLE social.search_backfills (
    analysis    SMALLINT PRIMARY KEY,
    finished_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Counters stand in tables of their own: counting neither rewrites nor locks the row that people read.
--
-- A counter's row is changed by whoever finds it there and free. Who does not find it so, because a transaction under way
-- holds it, does not wait, and leaves the difference beside it instead; the true count is the row plus its differences, in
-- one snapshot exact at every moment. social.roll_up_counts makes missing rows and adds the differences up later. Inserting a
-- missing row right away would wait: ON CONFLICT waits for whoever is changing the row that it conflicts with.
CREATE TABLE social.post_counts (
    post_id       BIGINT PRIMARY KEY REFERENCES social.posts (id) ON DELETE CASCADE,
    count_likes   INT NOT NULL DEFAULT 0,
    count_replies INT NOT NULL DEFAULT 0
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE social.post_count_changes (
    post_id BIGINT NOT NULL REFERENCES social.posts (id) ON DELETE CASCADE,
    likes   INT NOT NULL,
    replies INT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX idx_post_count_changes ON social.post_count_changes (post_id) INCLUDE (likes, replies);

CREATE TABLE social.user_counts (
    user_id         BIGINT PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    count_followers INT NOT NULL DEFAULT 0,
    count_followees INT NOT NULL DEFAULT 0,
    count_posts     INT NOT NULL DEFAULT 0
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE social.user_count_changes (
    user_id   BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    followers INT NOT NULL,
    followees INT NOT NULL,
    posts     INT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX idx_user_count_changes ON social.user_count_changes (user_id) INCLUDE (followers, followees, posts);

-- The post itself may be the one that is being deleted: then there is nothing left to count for.
CREATE FUNCTION social.count_post(post BIGINT, more_likes INT, more_replies INT) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE social.post_counts
    SET count_likes = count_likes + more_likes, count_replies = count_replies + more_replies
    WHERE post_id = (SELECT c.post_id FROM social.post_counts c WHERE c.post_id = post FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        INSERT INTO social.post_count_changes (post_id, likes, replies)
        SELECT p.id, more_likes, more_replies FROM social.posts p WHERE p.id = post;
    END IF;
END
$$;

CREATE FUNCTION social.count_user(person BIGINT, more_followers INT, more_followees INT, more_posts INT) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE social.user_counts
    SET count_followers = count_followers + more_followers,
        count_followees = count_followees + more_followees,
        count_posts = count_posts + more_posts
    WHERE user_id = (SELECT c.user_id FROM social.user_counts c WHERE c.user_id = person FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        INSERT INTO social.user_count_changes (user_id, followers, followees, posts)
        SELECT u.id, more_followers, more_followees, more_posts FROM accounts.user_card u WHERE u.id = person;
    END IF;
END
$$;

CREATE FUNCTION social.on_like() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM social.count_post(NEW.post_id, 1, 0);
    RETURN NULL;
END
$$;
CREATE TRIGGER count_likes AFTER INSERT ON social.post_likes FOR EACH ROW EXECUTE FUNCTION social.on_like();

CREATE FUNCTION social.on_post() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM social.count_user(NEW.owned_by, 0, 0, 1);
    IF NEW.reply_to IS NOT NULL THEN
        PERFORM social.count_post(NEW.reply_to, 0, 1);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_posts AFTER INSERT ON social.posts FOR EACH ROW EXECUTE FUNCTION social.on_post();

CREATE FUNCTION social.on_follow() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM social.count_user(NEW.follower_id, 0, 1, 0);
    PERFORM social.count_user(NEW.followee_id, 1, 0, 0);
    RETURN NULL;
END
$$;
CREATE TRIGGER count_follows AFTER INSERT ON social.user_follows FOR EACH ROW EXECUTE FUNCTION social.on_follow();

-- Deleting comes by the thousand when an account goes, so it is counted a statement at a time, as differences.
CREATE FUNCTION social.on_likes_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.post_count_changes (post_id, likes, replies)
    SELECT g.post_id, -count(*), 0 FROM deleted g JOIN social.posts p ON p.id = g.post_id GROUP BY g.post_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_deleted_likes AFTER DELETE ON social.post_likes
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION social.on_likes_deleted();

CREATE FUNCTION social.on_posts_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.user_count_changes (user_id, followers, followees, posts)
    SELECT g.owned_by, 0, 0, -count(*) FROM deleted g JOIN accounts.user_card u ON u.id = g.owned_by GROUP BY g.owned_by;
    INSERT INTO social.post_count_changes (post_id, likes, replies)
    SELECT g.reply_to, 0, -count(*) FROM deleted g JOIN social.posts p ON p.id = g.reply_to GROUP BY g.reply_to;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_deleted_posts AFTER DELETE ON social.posts
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION social.on_posts_deleted();

CREATE FUNCTION social.on_follows_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.user_count_changes (user_id, followers, followees, posts)
    SELECT c.user_id, sum(c.followers), sum(c.followees), 0
    FROM (SELECT follower_id AS user_id, 0 AS followers, -1 AS followees FROM deleted
          UNION ALL
          SELECT followee_id, -1, 0 FROM deleted) c
    JOIN accounts.user_card u ON u.id = c.user_id
    GROUP BY c.user_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_deleted_follows AFTER DELETE ON social.user_follows
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION social.on_follows_deleted();

-- Adds the differences of up to `max_rows` posts and users to their rows; returns how many differences were added. The rows are
-- locked first and the differences read afterwards, so two nodes cannot add the same one.
CREATE FUNCTION social.roll_up_counts(max_rows INT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
    unlocked   BIGINT[];
    added_rows INT := 0;
    part   INT;
BEGIN
    INSERT INTO social.post_counts (post_id)
    SELECT p.id FROM social.posts p
    WHERE p.id IN (SELECT DISTINCT d.post_id FROM social.post_count_changes d LIMIT max_rows)
      AND NOT EXISTS (SELECT FROM social.post_counts c WHERE c.post_id = p.id)
    FOR KEY SHARE SKIP LOCKED
    ON CONFLICT (post_id) DO NOTHING;
    SELECT array_agg(c.post_id) INTO unlocked
    FROM (SELECT l.post_id FROM social.post_counts l
          WHERE l.post_id IN (SELECT DISTINCT d.post_id FROM social.post_count_changes d LIMIT max_rows)
          ORDER BY l.post_id FOR NO KEY UPDATE SKIP LOCKED) c;
    WITH taken AS (
        DELETE FROM social.post_count_changes d WHERE d.post_id = ANY (unlocked)
        RETURNING d.post_id, d.likes, d.replies),
    added AS (
        UPDATE social.post_counts c
        SET count_likes = c.count_likes + t.likes, count_replies = c.count_replies + t.replies
        FROM (SELECT post_id, sum(likes) AS likes, sum(replies) AS replies FROM taken GROUP BY post_id) t
        WHERE c.post_id = t.post_id)
    SELECT count(*) INTO part FROM taken;
    added_rows := added_rows + part;

    INSERT INTO social.user_counts (user_id)
    SELECT u.id FROM accounts.user_card u
    WHERE u.id IN (SELECT DISTINCT d.user_id FROM social.user_count_changes d LIMIT max_rows)
      AND NOT EXISTS (SELECT FROM social.user_counts c WHERE c.user_id = u.id)
    FOR KEY SHARE SKIP LOCKED
    ON CONFLICT (user_id) DO NOTHING;
    SELECT array_agg(c.user_id) INTO unlocked
    FROM (SELECT l.user_id FROM social.user_counts l
          WHERE l.user_id IN (SELECT DISTINCT d.user_id FROM social.user_count_changes d LIMIT max_rows)
          ORDER BY l.user_id FOR NO KEY UPDATE SKIP LOCKED) c;
    WITH taken AS (
        DELETE FROM social.user_count_changes d WHERE d.user_id = ANY (unlocked)
        RETURNING d.user_id, d.followers, d.followees, d.posts),
    added AS (
        UPDATE social.user_counts c
        SET count_followers = c.count_followers + t.followers,
            count_followees = c.count_followees + t.followees,
            count_posts = c.count_posts + t.posts
        FROM (SELECT user_id, sum(followers) AS followers, sum(followees) AS followees, sum(posts) AS posts
              FROM taken GROUP BY user_id) t
        WHERE c.user_id = t.user_id)
    SELECT count(*) INTO part FROM taken;
    RETURN added_rows + part;
END
$$;

-- The counts as they are, for others to join.
CREATE VIEW social.post_totals AS
SELECT p.id AS post_id,
       coalesce(c.count_likes, 0) + coalesce(d.likes, 0) AS count_likes,
       coalesce(c.count_replies, 0) + coalesce(d.replies, 0) AS count_replies
FROM social.posts p
LEFT JOIN social.post_counts c ON c.post_id = p.id
LEFT JOIN LATERAL (SELECT sum(likes) AS likes, sum(replies) AS replies
                   FROM social.post_count_changes WHERE post_id = p.id) d ON true;

CREATE VIEW social.user_totals AS
SELECT u.id AS user_id,
       coalesce(c.count_followers, 0) + coalesce(d.followers, 0) AS count_followers,
       coalesce(c.count_followees, 0) + coalesce(d.followees, 0) AS count_followees,
       coalesce(c.count_posts, 0) + coalesce(d.posts, 0) AS count_posts
FROM accounts.user_card u
LEFT JOIN social.user_counts c ON c.user_id = u.id
LEFT JOIN LATERAL (SELECT sum(followers) AS followers, sum(followees) AS followees, sum(posts) AS posts
                   FROM social.user_count_changes WHERE user_id = u.id) d ON true;

-- Deleting a post, or an account with its posts, makes roots of the replies to it. Only the database sees which, so it
-- appends the event; all others are appended by the program.
CREATE FUNCTION social.hex(id BIGINT) RETURNS TEXT
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lpad(upper(to_hex(id)), 16, '0');

CREATE FUNCTION social.emit_root_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        ARRAY[platform.event_partition(NEW.owned_by)],
        ARRAY[jsonb_build_object('type', 'post', 'postId', social.hex(NEW.id), 'userId', social.hex(NEW.owned_by))]);
    RETURN NULL;
END
$$;
CREATE TRIGGER emit_root_event AFTER UPDATE OF reply_to ON social.posts
    FOR EACH ROW WHEN (OLD.reply_to IS NOT NULL AND NEW.reply_to IS NULL) EXECUTE FUNCTION social.emit_root_event();

-- Withdrawals are events too: an unlike, an unfollow, a deleted reply or mention. They happen in many ways, with a post, an
-- edit or a whole account, and only the database sees all of them, so it appends the events. Nothing is appended for what
-- is deleted together with the recipient's own post or account.
CREATE FUNCTION social.emit_unlike_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(p.owned_by)),
        array_agg(jsonb_build_object(
            'type', 'unlike', 'postId', social.hex(p.id), 'ownerId', social.hex(p.owned_by),
            'userId', social.hex(g.liked_by))))
    FROM deleted g
    JOIN social.posts p ON p.id = g.post_id
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER emit_unlike_events AFTER DELETE ON social.post_likes
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION social.emit_unlike_events();

CREATE FUNCTION social.emit_unfollow_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(u.id)),
        array_agg(jsonb_build_object(
            'type', 'unfollow', 'followeeId', social.hex(u.id), 'followerId', social.hex(g.follower_id))))
    FROM deleted g
    JOIN accounts.user_card u ON u.id = g.followee_id
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER emit_unfollow_events AFTER DELETE ON social.user_follows
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION social.emit_unfollow_events();

CREATE FUNCTION social.emit_unreply_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(p.owned_by)),
        array_agg(jsonb_build_object(
            'type', 'unreply', 'postId', social.hex(g.id), 'userId', social.hex(g.owned_by),
            'replyToPostId', social.hex(p.id), 'ownerId', social.hex(p.owned_by))))
    FROM deleted g
    JOIN social.posts p ON p.id = g.reply_to
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER emit_unreply_events AFTER DELETE ON social.posts
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION social.emit_unreply_events();

-- Somebody may be mentioned under two names: the event is appended when the last one is deleted.
CREATE FUNCTION social.emit_unmention_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(m.user_id)),
        array_agg(jsonb_build_object(
            'type', 'unmention', 'postId', social.hex(m.post_id), 'mentionedUserId', social.hex(m.user_id))))
    FROM (SELECT DISTINCT g.post_id, g.user_id FROM deleted g) m
    JOIN accounts.user_card u ON u.id = m.user_id
    WHERE NOT EXISTS (SELECT FROM social.post_mentions k WHERE k.post_id = m.post_id AND k.user_id = m.user_id)
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER emit_unmention_events AFTER DELETE ON social.post_mentions
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION social.emit_unmention_events();

-- What a trigger asks is planned once a connection, for as many rows as were deleted the first time. For one or for 100,000,
-- looking them up by key is right; a join that reads all posts would be right for the many only.
ALTER FUNCTION social.emit_unlike_events() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.emit_unfollow_events() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.emit_unreply_events() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.emit_unmention_events() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.on_likes_deleted() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.on_follows_deleted() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.on_posts_deleted() SET enable_hashjoin = off SET enable_mergejoin = off;

CREATE VIEW social.separated AS
SELECT blocker_id AS one, blocked_id AS other FROM social.user_blocks
UNION ALL
SELECT blocked_id, blocker_id FROM social.user_blocks;
COMMENT ON VIEW social.separated IS 'Pairs that a block separates, both ways round, for other features to join';

CREATE VIEW social.post_text AS
SELECT p.id, p.owned_by, d.content,
       ARRAY(SELECT t.name::text FROM social.post_tags t WHERE t.post_id = p.id ORDER BY t.name) AS tags
FROM social.posts p
JOIN social.post_details d ON d.post_id = p.id;
COMMENT ON VIEW social.post_text IS 'What posts say, as it was written, for other features to read';

CREATE VIEW social.post_tag AS
SELECT t.name::text AS name, t.post_id, t.owned_by FROM social.post_tags t;
COMMENT ON VIEW social.post_tag IS 'Which posts are filed under a tag, for other features to read';
