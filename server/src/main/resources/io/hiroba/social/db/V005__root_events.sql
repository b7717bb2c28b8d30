-- The event of a reply that became a root says so: programs outside are told of new posts, which it is not.
CREATE OR REPLACE FUNCTION social.emit_root_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        ARRAY[platform.event_partition(NEW.owned_by)],
        ARRAY[jsonb_build_object(
            'type', 'post', 'postId', social.hex(NEW.id), 'userId', social.hex(NEW.owned_by), 'becameRoot', true)]);
    RETURN NULL;
END
$$;
