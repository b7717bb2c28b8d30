-- What is taken back is told to whoever was told of it: an unlike, an unfollow, a reply or a mention that is gone. It goes
-- in many ways, with a post, an edit or a whole account, and only the database sees all of them; so it appends these
-- events. Nobody is told of what goes together with their own post or account.
CREATE FUNCTION social.tell_unliked() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(p.owned_by)),
        array_agg(jsonb_build_object(
            'type', 'unlike', 'postId', social.hex(p.id), 'ownerId', social.hex(p.owned_by),
            'userId', social.hex(g.liked_by))))
    FROM gone g
    JOIN social.posts p ON p.id = g.post_id
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_unliked AFTER DELETE ON social.post_likes
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.tell_unliked();

CREATE FUNCTION social.tell_unfollowed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(u.id)),
        array_agg(jsonb_build_object(
            'type', 'unfollow', 'followeeId', social.hex(u.id), 'followerId', social.hex(g.follower_id))))
    FROM gone g
    JOIN accounts.user_card u ON u.id = g.followee_id
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_unfollowed AFTER DELETE ON social.user_follows
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.tell_unfollowed();

CREATE FUNCTION social.tell_unreplied() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(p.owned_by)),
        array_agg(jsonb_build_object(
            'type', 'unreply', 'postId', social.hex(g.id), 'userId', social.hex(g.owned_by),
            'replyToPostId', social.hex(p.id), 'ownerId', social.hex(p.owned_by))))
    FROM gone g
    JOIN social.posts p ON p.id = g.reply_to
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_unreplied AFTER DELETE ON social.posts
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.tell_unreplied();

-- Somebody may be mentioned under two names; they are told when the last one is gone.
CREATE FUNCTION social.tell_unmentioned() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(m.user_id)),
        array_agg(jsonb_build_object(
            'type', 'unmention', 'postId', social.hex(m.post_id), 'mentionedUserId', social.hex(m.user_id))))
    FROM (SELECT DISTINCT g.post_id, g.user_id FROM gone g) m
    JOIN accounts.user_card u ON u.id = m.user_id
    WHERE NOT EXISTS (SELECT FROM social.post_mentions k WHERE k.post_id = m.post_id AND k.user_id = m.user_id)
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_unmentioned AFTER DELETE ON social.post_mentions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.tell_unmentioned();

-- What a trigger asks is planned once a connection, for as many rows as were gone the first time. For one or for 100,000,
-- looking them up by key is right; a join that reads all posts would be right for the many only.
ALTER FUNCTION social.tell_unliked() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.tell_unfollowed() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.tell_unreplied() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.tell_unmentioned() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.on_likes_gone() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.on_follows_gone() SET enable_hashjoin = off SET enable_mergejoin = off;
ALTER FUNCTION social.on_posts_gone() SET enable_hashjoin = off SET enable_mergejoin = off;

CREATE VIEW social.separated AS
SELECT blocker_id AS one, blocked_id AS other FROM social.user_blocks
UNION ALL
SELECT blocked_id, blocker_id FROM social.user_blocks;
COMMENT ON VIEW social.separated IS 'Pairs that a block separates, both ways round, for other features to join';
