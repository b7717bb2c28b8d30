-- Counters stand in tables of their own: counting neither rewrites nor locks the row that people read.
--
-- A counter's row is changed by whoever finds it there and free. Who does not find it so, because a transaction under way
-- holds it, does not wait, and leaves the difference beside it instead; the true count is the row plus its differences, in
-- one snapshot exact at every moment. social.fold_counts makes missing rows and adds the differences up later. Inserting a
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
CREATE FUNCTION social.on_likes_gone() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.post_count_changes (post_id, likes, replies)
    SELECT g.post_id, -count(*), 0 FROM gone g JOIN social.posts p ON p.id = g.post_id GROUP BY g.post_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_likes_gone AFTER DELETE ON social.post_likes
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.on_likes_gone();

CREATE FUNCTION social.on_posts_gone() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.user_count_changes (user_id, followers, followees, posts)
    SELECT g.owned_by, 0, 0, -count(*) FROM gone g JOIN accounts.user_card u ON u.id = g.owned_by GROUP BY g.owned_by;
    INSERT INTO social.post_count_changes (post_id, likes, replies)
    SELECT g.reply_to, 0, -count(*) FROM gone g JOIN social.posts p ON p.id = g.reply_to GROUP BY g.reply_to;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_posts_gone AFTER DELETE ON social.posts
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.on_posts_gone();

CREATE FUNCTION social.on_follows_gone() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.user_count_changes (user_id, followers, followees, posts)
    SELECT c.user_id, sum(c.followers), sum(c.followees), 0
    FROM (SELECT follower_id AS user_id, 0 AS followers, -1 AS followees FROM gone
          UNION ALL
          SELECT followee_id, -1, 0 FROM gone) c
    JOIN accounts.user_card u ON u.id = c.user_id
    GROUP BY c.user_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_follows_gone AFTER DELETE ON social.user_follows
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.on_follows_gone();

-- Adds the differences of up to `most` posts and users to their rows; answers how many differences went. The rows are
-- locked first and the differences read afterwards, so two nodes cannot add the same one.
CREATE FUNCTION social.fold_counts(most INT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
    free   BIGINT[];
    folded INT := 0;
    part   INT;
BEGIN
    INSERT INTO social.post_counts (post_id)
    SELECT p.id FROM social.posts p
    WHERE p.id IN (SELECT DISTINCT d.post_id FROM social.post_count_changes d LIMIT most)
      AND NOT EXISTS (SELECT FROM social.post_counts c WHERE c.post_id = p.id)
    FOR KEY SHARE SKIP LOCKED
    ON CONFLICT (post_id) DO NOTHING;
    SELECT array_agg(c.post_id) INTO free
    FROM (SELECT l.post_id FROM social.post_counts l
          WHERE l.post_id IN (SELECT DISTINCT d.post_id FROM social.post_count_changes d LIMIT most)
          ORDER BY l.post_id FOR NO KEY UPDATE SKIP LOCKED) c;
    WITH taken AS (
        DELETE FROM social.post_count_changes d WHERE d.post_id = ANY (free)
        RETURNING d.post_id, d.likes, d.replies),
    added AS (
        UPDATE social.post_counts c
        SET count_likes = c.count_likes + t.likes, count_replies = c.count_replies + t.replies
        FROM (SELECT post_id, sum(likes) AS likes, sum(replies) AS replies FROM taken GROUP BY post_id) t
        WHERE c.post_id = t.post_id)
    SELECT count(*) INTO part FROM taken;
    folded := folded + part;

    INSERT INTO social.user_counts (user_id)
    SELECT u.id FROM accounts.user_card u
    WHERE u.id IN (SELECT DISTINCT d.user_id FROM social.user_count_changes d LIMIT most)
      AND NOT EXISTS (SELECT FROM social.user_counts c WHERE c.user_id = u.id)
    FOR KEY SHARE SKIP LOCKED
    ON CONFLICT (user_id) DO NOTHING;
    SELECT array_agg(c.user_id) INTO free
    FROM (SELECT l.user_id FROM social.user_counts l
          WHERE l.user_id IN (SELECT DISTINCT d.user_id FROM social.user_count_changes d LIMIT most)
          ORDER BY l.user_id FOR NO KEY UPDATE SKIP LOCKED) c;
    WITH taken AS (
        DELETE FROM social.user_count_changes d WHERE d.user_id = ANY (free)
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
    RETURN folded + part;
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
