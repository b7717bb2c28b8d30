-- Schemas whose records are also found as passages of text (docs/adr/0131-records-and-resources-in-knowledge.md). A choice never changes:
-- other attributes are another choice with another id, so that a text tells by its id which values it was composed of.
CREATE TABLE records.knowledge_texts (
    id         BIGINT      PRIMARY KEY,
    project_id BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT    NOT NULL,
    -- The suffix of the project's tables.
    suffix     TEXT        NOT NULL,
    -- The attributes whose values are in the texts, in their order.
    attributes SMALLINT[]  NOT NULL CHECK (cardinality(attributes) BETWEEN 1 AND 100),
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (project_id, schema_id)
);

CREATE FUNCTION records.texts_event(kind TEXT, texts BIGINT) RETURNS JSONB LANGUAGE sql IMMUTABLE STRICT
RETURN jsonb_build_object('type', kind, 'textsId', lpad(upper(to_hex(texts)), 16, '0'));

-- However a choice comes or goes, with its project too, the event log has it in the same transaction.
CREATE FUNCTION records.note_choice() RETURNS trigger LANGUAGE plpgsql AS $note$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM platform.append_events(
            ARRAY[platform.event_partition(NEW.project_id)], ARRAY[records.texts_event('record-texts-chosen', NEW.id)]);
    ELSE
        PERFORM platform.append_events(
            ARRAY[platform.event_partition(OLD.project_id)], ARRAY[records.texts_event('record-texts-ended', OLD.id)]);
    END IF;
    RETURN NULL;
END
$note$;
CREATE TRIGGER choice_noted AFTER INSERT OR DELETE ON records.knowledge_texts
    FOR EACH ROW EXECUTE FUNCTION records.note_choice();

-- The records of a statement whose texts are others now, a few hundred an event. The argument is the project.
CREATE FUNCTION records.note_texts() RETURNS trigger LANGUAGE plpgsql AS $note$
DECLARE
    texts records.knowledge_texts;
    other UUID[];
BEGIN
    FOR texts IN SELECT * FROM records.knowledge_texts WHERE project_id = CAST(TG_ARGV[0] AS bigint) LOOP
        IF TG_OP = 'INSERT' THEN
            SELECT array_agg(n.row_id) INTO other FROM came AS n WHERE n.schema_id = texts.schema_id;
        ELSIF TG_OP = 'DELETE' THEN
            SELECT array_agg(o.row_id) INTO other FROM gone AS o WHERE o.schema_id = texts.schema_id;
        ELSE
            SELECT array_agg(n.row_id) INTO other
            FROM came AS n
            JOIN gone AS o ON o.schema_id = n.schema_id AND o.row_id = n.row_id
            WHERE n.schema_id = texts.schema_id
              AND EXISTS (SELECT FROM unnest(texts.attributes) AS a (attr_id)
                          WHERE o.doc -> (a.attr_id / 5) IS DISTINCT FROM n.doc -> (a.attr_id / 5));
        END IF;
        PERFORM platform.append_events(
            array_agg(platform.event_partition(texts.project_id)),
            array_agg(records.texts_event('record-texts-changed', texts.id)
                || jsonb_build_object('rows', to_jsonb(other[s.first : s.first + 199]))))
        FROM generate_series(1, cardinality(other), 200) AS s (first)
        HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END
$note$;

-- A schema or project that is called or ruled otherwise: titles, labels and addresses may be others.
CREATE FUNCTION records.note_shape() RETURNS trigger LANGUAGE plpgsql AS $note$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(t.project_id)),
        array_agg(records.texts_event('record-texts-reshaped', t.id)))
    FROM records.knowledge_texts AS t
    WHERE CASE WHEN TG_NARGS = 0 THEN t.project_id = CAST(to_jsonb(NEW) ->> 'id' AS bigint)
               ELSE t.project_id = CAST(TG_ARGV[0] AS bigint)
                    AND t.schema_id = CAST(to_jsonb(NEW) ->> 'schema_id' AS smallint) END
    HAVING count(*) > 0;
    RETURN NULL;
END
$note$;
CREATE TRIGGER renamed_noted AFTER UPDATE OF name ON records.projects
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION records.note_shape();

-- Makes a choice, in place of the one that there was. Writers of the project's records are locked out until the transaction ends: one
-- that ended before is read by whoever fills the texts afterwards, and one that comes later notes what it writes.
CREATE FUNCTION records.choose_texts(
    texts BIGINT, project BIGINT, project_suffix TEXT, schema SMALLINT, attribute_ids SMALLINT[], at TIMESTAMPTZ) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $choose$
BEGIN
    IF project_suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', project_suffix;
    END IF;
    EXECUTE format('LOCK TABLE records.%I IN SHARE ROW EXCLUSIVE MODE', 'records_' || project_suffix);
    IF NOT EXISTS (
        SELECT FROM pg_trigger
        WHERE tgrelid = to_regclass(format('records.%I', 'records_' || project_suffix)) AND tgname = 'texts_of_inserted')
    THEN
        EXECUTE replace(replace($ddl$
            CREATE TRIGGER texts_of_inserted AFTER INSERT ON records."records_@" REFERENCING NEW TABLE AS came
                FOR EACH STATEMENT EXECUTE FUNCTION records.note_texts('#');
            CREATE TRIGGER texts_of_updated AFTER UPDATE ON records."records_@" REFERENCING OLD TABLE AS gone NEW TABLE AS came
                FOR EACH STATEMENT EXECUTE FUNCTION records.note_texts('#');
            CREATE TRIGGER texts_of_deleted AFTER DELETE ON records."records_@" REFERENCING OLD TABLE AS gone
                FOR EACH STATEMENT EXECUTE FUNCTION records.note_texts('#');
            CREATE TRIGGER texts_reshaped AFTER UPDATE ON records."schemas_@"
                FOR EACH ROW EXECUTE FUNCTION records.note_shape('#');
            $ddl$, '@', project_suffix), '#', CAST(project AS text));
    END IF;
    DELETE FROM records.knowledge_texts AS t WHERE t.project_id = project AND t.schema_id = schema;
    INSERT INTO records.knowledge_texts (id, project_id, schema_id, suffix, attributes, created_at)
    VALUES (texts, project, schema, project_suffix, attribute_ids, at);
END
$choose$;

-- The choices whose texts somebody may read, by the rules that hold in the statement that asks: they are a member, the schema and every
-- attribute in the texts are there and written by people, and, unless they own the project, their role sees all records and hides none of
-- those attributes. Published to knowledge, which asks it in each search.
CREATE FUNCTION records.readable_texts(reader BIGINT) RETURNS BIGINT[]
LANGUAGE plpgsql STABLE AS $readable$
DECLARE
    found    BIGINT[] := '{}';
    each     RECORD;
    readable BOOLEAN;
BEGIN
    FOR each IN
        SELECT t.id, t.project_id, t.schema_id, t.suffix, t.attributes, m.role
        FROM records.members AS m
        JOIN records.knowledge_texts AS t ON t.project_id = m.project_id
        WHERE m.user_id = reader
          AND NOT EXISTS (SELECT FROM records.computed_attributes AS c
                          WHERE c.project_id = t.project_id AND c.schema_id = t.schema_id AND c.attr_id = ANY (t.attributes))
    LOOP
        BEGIN
            EXECUTE replace($q$
                SELECT EXISTS (
                    SELECT FROM records."schemas_@" AS s
                    CROSS JOIN LATERAL (
                        SELECT CASE WHEN $3 = 'EDITOR' THEN coalesce(s.rules -> 'editors', s.rules) ELSE s.rules END AS rules) AS r
                    WHERE s.schema_id = $1
                      AND EXISTS (SELECT FROM records."schema_registry_@" AS n WHERE n.schema_id = $1)
                      AND cardinality($2) = (
                          SELECT count(*) FROM records."attributes_@" AS a
                          WHERE a.schema_id = $1 AND a.attr_id = ANY ($2) AND left(a.attr_name, 1) <> '_'
                            AND ($3 = 'OWNER' OR NOT coalesce(r.rules -> 'hidden', '[]') ? CAST(a.attr_name AS text)))
                      AND ($3 = 'OWNER'
                           OR NOT coalesce(CAST(r.rules ->> 'ownRowsOnly' AS boolean), false)
                              AND r.rules ->> 'matching' IS NULL
                              AND coalesce(jsonb_array_length(nullif(r.rules -> 'where', 'null')), 0) = 0))
                $q$, '@', each.suffix) INTO readable USING each.schema_id, each.attributes, each.role;
        EXCEPTION
            -- The project was deleted since the statement began.
            WHEN undefined_table THEN readable := false;
        END;
        IF readable THEN
            found := found || each.id;
        END IF;
    END LOOP;
    RETURN found;
END
$readable$;
