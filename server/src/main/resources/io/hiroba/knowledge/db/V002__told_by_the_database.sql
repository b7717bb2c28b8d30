-- Dead letters end in many ways: tried again, put aside, with their chunk, their source or a whole account. Only the
-- database sees all of them; so it tells the owner of each source that some of its have ended.
CREATE FUNCTION knowledge.revived(source BIGINT) RETURNS JSONB
LANGUAGE sql IMMUTABLE STRICT
RETURN jsonb_build_object('type', 'knowledge-revived', 'sourceId', lpad(upper(to_hex(source)), 16, '0'));

CREATE FUNCTION knowledge.tell_dead_letters_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(ended.owned_by)), array_agg(knowledge.revived(ended.source_id)))
    FROM (SELECT DISTINCT source_id, owned_by FROM gone WHERE dismissed_at IS NULL AND content <> '') ended
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_deleted AFTER DELETE ON knowledge.knowledge_chunks_dlq
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION knowledge.tell_dead_letters_deleted();

CREATE FUNCTION knowledge.tell_dead_letters_ended() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(ended.owned_by)), array_agg(knowledge.revived(ended.source_id)))
    FROM (SELECT DISTINCT b.source_id, b.owned_by
          FROM before_change b
          JOIN after_change a ON a.id = b.id
          WHERE b.dismissed_at IS NULL AND b.content <> ''
            AND (a.dismissed_at IS NOT NULL OR a.content = '')) ended
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_ended AFTER UPDATE ON knowledge.knowledge_chunks_dlq
    REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
    FOR EACH STATEMENT EXECUTE FUNCTION knowledge.tell_dead_letters_ended();
