-- Issues and merge requests as texts for knowledge (docs/adr/0131-records-and-resources-in-knowledge.md).

-- What is said of an issue or a merge request below its title, as its source told it last.
CREATE TABLE inbox.resource_descriptions (
    resource_id BIGINT PRIMARY KEY REFERENCES inbox.resources (id) ON DELETE CASCADE,
    description TEXT NOT NULL
);

-- Published: issues and merge requests, and who has or had an item about which.
CREATE VIEW inbox.resource_text AS
    SELECT r.id, r.title, r.url, n.path AS namespace, d.description
    FROM inbox.resources r
    JOIN inbox.namespaces n ON n.id = r.namespace_id
    LEFT JOIN inbox.resource_descriptions d ON d.resource_id = r.id
    WHERE r.type IN (1, 2);

CREATE VIEW inbox.resource_reader AS
    SELECT resource_id, user_id FROM inbox.issue_notifications
    UNION ALL
    SELECT resource_id, user_id FROM inbox.merge_request_notifications;

-- However a text changes or goes, with its namespace or connection too, the event log has it in the same transaction.
CREATE FUNCTION inbox.append_text_events(ids BIGINT[]) RETURNS void LANGUAGE sql AS $$
    SELECT platform.append_events(
        array_agg(platform.event_partition(r.id)),
        array_agg(jsonb_build_object('type', 'resource-text-changed', 'resourceId', lpad(upper(to_hex(r.id)), 16, '0'))))
    FROM unnest(ids) AS r (id)
    HAVING count(*) > 0
$$;

CREATE FUNCTION inbox.note_texts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ids BIGINT[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(n.id) INTO ids FROM came AS n WHERE n.type IN (1, 2);
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(o.id) INTO ids FROM gone AS o WHERE o.type IN (1, 2);
    ELSE
        SELECT array_agg(n.id) INTO ids
        FROM came AS n
        JOIN gone AS o ON o.id = n.id
        WHERE n.type IN (1, 2) AND (n.title, n.url, n.namespace_id) IS DISTINCT FROM (o.title, o.url, o.namespace_id);
    END IF;
    PERFORM inbox.append_text_events(ids);
    RETURN NULL;
END
$$;
CREATE TRIGGER texts_of_inserted AFTER INSERT ON inbox.resources REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.note_texts();
CREATE TRIGGER texts_of_updated AFTER UPDATE ON inbox.resources REFERENCING OLD TABLE AS gone NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.note_texts();
CREATE TRIGGER texts_of_deleted AFTER DELETE ON inbox.resources REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.note_texts();

CREATE FUNCTION inbox.note_description() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM inbox.append_text_events(ARRAY[CASE WHEN TG_OP = 'DELETE' THEN OLD.resource_id ELSE NEW.resource_id END]);
    RETURN NULL;
END
$$;
CREATE TRIGGER description_noted AFTER INSERT OR DELETE ON inbox.resource_descriptions
    FOR EACH ROW EXECUTE FUNCTION inbox.note_description();
CREATE TRIGGER description_change_noted AFTER UPDATE ON inbox.resource_descriptions
    FOR EACH ROW WHEN (OLD.description IS DISTINCT FROM NEW.description) EXECUTE FUNCTION inbox.note_description();

-- Those that are mirrored already.
SELECT inbox.append_text_events(array_agg(id)) FROM inbox.resources WHERE type IN (1, 2);
