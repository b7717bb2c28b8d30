-- The transactions that wrote records of a schema. An answer is still right unless one is noted here that the snapshot it was
-- read in did not see. docs/adr/0060-answers-are-kept.md says why that is exact. Rows that no kept answer is old enough to need
-- are swept.
CREATE TABLE records.changes (
    project_id BIGINT   NOT NULL,
    schema_id  SMALLINT NOT NULL,
    xid        XID8     NOT NULL,
    PRIMARY KEY (project_id, schema_id, xid)
);

-- Notes the writing transaction, once for each schema. The argument is the project.
CREATE FUNCTION records.note_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO records.changes (project_id, schema_id, xid)
    SELECT DISTINCT CAST(TG_ARGV[0] AS bigint), schema_id, pg_current_xact_id() FROM came
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION records.note_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO records.changes (project_id, schema_id, xid)
    SELECT CAST(TG_ARGV[0] AS bigint), c.schema_id, pg_current_xact_id()
    FROM (SELECT schema_id FROM gone UNION SELECT schema_id FROM came) AS c
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION records.note_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO records.changes (project_id, schema_id, xid)
    SELECT DISTINCT CAST(TG_ARGV[0] AS bigint), schema_id, pg_current_xact_id() FROM gone
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

-- Has changes of a project's records noted.
CREATE FUNCTION records.note_changes(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $note$
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    EXECUTE replace(replace($ddl$
        CREATE TRIGGER insert_noted AFTER INSERT ON records."records_@" REFERENCING NEW TABLE AS came
            FOR EACH STATEMENT EXECUTE FUNCTION records.note_insert('#');
        CREATE TRIGGER update_noted AFTER UPDATE ON records."records_@" REFERENCING OLD TABLE AS gone NEW TABLE AS came
            FOR EACH STATEMENT EXECUTE FUNCTION records.note_update('#');
        CREATE TRIGGER delete_noted AFTER DELETE ON records."records_@" REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION records.note_delete('#');
        $ddl$, '@', suffix), '#', CAST(CAST(CAST('x' || right(suffix, 16) AS bit(64)) AS bigint) AS text));
END
$note$;

ALTER FUNCTION records.make_tables(TEXT) RENAME TO make_first_tables;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $make$
BEGIN
    PERFORM records.make_first_tables(suffix);
    PERFORM records.note_changes(suffix);
END
$make$;

SELECT records.note_changes(substr(relname, length('records_') + 1))
FROM pg_class
WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';
