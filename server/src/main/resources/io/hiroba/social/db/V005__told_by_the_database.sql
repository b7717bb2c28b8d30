-- What a cascade may do, only the database sees: deleting an account ends its follows and its posts, and deleting a post
-- makes roots of its replies. These events are appended here, whoever caused them; all others by the program.
CREATE FUNCTION social.hex(id BIGINT) RETURNS TEXT
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lpad(upper(to_hex(id)), 16, '0');

CREATE FUNCTION social.tell_unfollowed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(followee_id)),
        array_agg(jsonb_build_object(
            'type', 'unfollow', 'followeeId', social.hex(followee_id), 'followerId', social.hex(follower_id))))
    FROM gone HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_unfollowed AFTER DELETE ON social.user_follows
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.tell_unfollowed();

CREATE FUNCTION social.tell_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(owned_by)),
        array_agg(jsonb_build_object('type', 'post-deleted', 'postId', social.hex(id), 'userId', social.hex(owned_by))))
    FROM gone HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_deleted AFTER DELETE ON social.posts
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION social.tell_deleted();

CREATE FUNCTION social.tell_root() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        ARRAY[platform.event_partition(NEW.owned_by)],
        ARRAY[jsonb_build_object('type', 'post', 'postId', social.hex(NEW.id), 'userId', social.hex(NEW.owned_by))]);
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_root AFTER UPDATE OF reply_to ON social.posts
    FOR EACH ROW WHEN (OLD.reply_to IS NOT NULL AND NEW.reply_to IS NULL) EXECUTE FUNCTION social.tell_root();
