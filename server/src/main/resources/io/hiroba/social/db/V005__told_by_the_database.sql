-- Deleting a post, or an account with its posts, makes roots of the replies to it. Only the database sees which, so it
-- appends the event; all others are appended by the program.
CREATE FUNCTION social.hex(id BIGINT) RETURNS TEXT
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lpad(upper(to_hex(id)), 16, '0');

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
