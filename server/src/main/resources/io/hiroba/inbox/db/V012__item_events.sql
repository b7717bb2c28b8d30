-- Items that are done, by their owner or by a rule, and items that are restored are events for programs outside. They happen in many
-- ways, and only the database sees all of them, so it appends the events.
CREATE FUNCTION inbox.emit_item_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(p.partition_id),
        array_agg(jsonb_build_object(
            'type', CASE WHEN a.state = 2 /* done */ THEN 'inbox-item-done' ELSE 'inbox-item-restored' END,
            'itemId', lpad(upper(to_hex(a.id)), 16, '0'), 'userId', lpad(upper(to_hex(a.user_id)), 16, '0'))))
    FROM after_change a
    JOIN before_change b ON b.user_id = a.user_id AND b.id = a.id
    JOIN (SELECT user_id, platform.event_partition(user_id) AS partition_id
          FROM (SELECT DISTINCT user_id FROM after_change) AS u) AS p ON p.user_id = a.user_id
    WHERE (a.state = 2) <> (b.state = 2)
    HAVING count(*) > 0;
    RETURN NULL;
END $$;

CREATE TRIGGER emit_item_events AFTER UPDATE ON inbox.notifications
    REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.emit_item_events();
