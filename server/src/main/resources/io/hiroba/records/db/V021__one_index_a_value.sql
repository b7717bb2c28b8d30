-- A value in eav_@ has one entry in one index. docs/adr/0134-one-index-a-value.md says why its key went and what finds a value now.

CREATE FUNCTION records.keep_schema() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a schema keeps its id for ever' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

-- Has a project's values found by what they are, and written and deleted in one pass.
CREATE FUNCTION records.index_values_once(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $once$
DECLARE
    -- The values of documents in `came`.
    spread TEXT := $sql$
    INSERT INTO records."eav_@" (schema_id, row_id, attr_id, value_text, value_numeric, value_date, value_bool, value_jsonb)
    SELECT n.schema_id, n.row_id, a.attr_id,
           CASE WHEN a.attr_id % 5 = 0 THEN left(v.value, 500) END,
           CASE WHEN a.attr_id % 5 = 1 THEN CAST(v.value AS numeric) END,
           CASE WHEN a.attr_id % 5 = 2 THEN records.moment(CAST(v.value AS bigint)) END,
           CASE WHEN a.attr_id % 5 = 3 THEN CAST(v.value AS boolean) END,
           CASE WHEN a.attr_id % 5 = 4 THEN n.doc -> (a.attr_id / 5) END
    FROM came AS n
    JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id
    CROSS JOIN LATERAL (SELECT n.doc ->> (a.attr_id / 5) AS value) AS v
    WHERE v.value IS NOT NULL#;

    IF has_unique THEN
        INSERT INTO records."unique_values_@" (schema_id, attr_id, value_key, row_id)
        SELECT n.schema_id, a.attr_id, records.unique_key(a.attr_id, v.value), n.row_id
        FROM came AS n
        JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id AND a.is_unique
        CROSS JOIN LATERAL (SELECT n.doc ->> (a.attr_id / 5) AS value) AS v
        WHERE v.value IS NOT NULL#;
    END IF;

    IF has_lists THEN
        INSERT INTO records."choices_@" (schema_id, attr_id, value_text, row_id)
        SELECT n.schema_id, a.attr_id, v.value, n.row_id
        FROM came AS n
        JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id AND a.value_type = 'multi_select'
        CROSS JOIN LATERAL jsonb_array_elements_text(
            CASE WHEN jsonb_typeof(n.doc -> (a.attr_id / 5)) = 'array' THEN n.doc -> (a.attr_id / 5) ELSE '[]' END) AS v (value)
        WHERE true#;
    END IF;

    IF has_links THEN
        INSERT INTO records."links_@" (schema_id, row_id, attr_id, target_schema, target_row)
        SELECT n.schema_id, n.row_id, a.attr_id, a.target_schema, CAST(v.value AS uuid)
        FROM came AS n
        JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id AND a.target_schema IS NOT NULL
        CROSS JOIN LATERAL jsonb_array_elements_text(
            CASE jsonb_typeof(n.doc -> (a.attr_id / 5))
                WHEN 'array' THEN n.doc -> (a.attr_id / 5)
                WHEN 'string' THEN jsonb_build_array(n.doc -> (a.attr_id / 5))
                ELSE '[]'
            END) AS v (value)
        WHERE (a.attr_id % 5 = 0 OR a.value_type = 'multi_select')#;
    END IF;
    $sql$;
    -- Most schemas have nothing unique, no list and no reference: one look saves as many statements.
    -- What a foreign key would lock and look for with each record, once a statement. Then what the schemas have: most have nothing
    -- unique, no list and no reference, which saves as many statements.
    known  TEXT := $sql$
    schemas := ARRAY(SELECT DISTINCT n.schema_id FROM came AS n);
    IF cardinality(schemas) > (
        SELECT count(*)
        FROM (SELECT FROM records."schemas_@" AS s WHERE s.schema_id = ANY (schemas) FOR KEY SHARE) AS locked) THEN
        RAISE EXCEPTION 'a record is of a schema that is not there' USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT coalesce(bool_or(a.is_unique), false), coalesce(bool_or(a.value_type = 'multi_select'), false),
           coalesce(bool_or(a.target_schema IS NOT NULL), false)
    INTO has_unique, has_lists, has_links
    FROM records."attributes_@" AS a
    WHERE a.schema_id = ANY (schemas);
    $sql$;
    -- Where a value of a document in `gone` is: each type by its index, with what the document had.
    place  TEXT := $sql$
        SELECT e.ctid
        FROM gone AS o#
        JOIN records."attributes_@" AS a ON a.schema_id = o.schema_id
        CROSS JOIN LATERAL (SELECT o.doc ->> (a.attr_id / 5) AS value OFFSET 0) AS v
        CROSS JOIN LATERAL (
            SELECT e.ctid FROM records."eav_@" AS e
            WHERE a.attr_id % 5 = 0 AND e.schema_id = o.schema_id AND e.attr_id = a.attr_id AND e.row_id = o.row_id
              AND e.value_text = left(v.value, 500) COLLATE "C" AND e.value_text IS NOT NULL
            UNION ALL
            SELECT e.ctid FROM records."eav_@" AS e
            WHERE a.attr_id % 5 = 1 AND e.schema_id = o.schema_id AND e.attr_id = a.attr_id AND e.row_id = o.row_id
              AND e.value_numeric = CASE WHEN a.attr_id % 5 = 1 THEN CAST(v.value AS numeric) END AND e.value_numeric IS NOT NULL
            UNION ALL
            SELECT e.ctid FROM records."eav_@" AS e
            WHERE a.attr_id % 5 = 2 AND e.schema_id = o.schema_id AND e.attr_id = a.attr_id AND e.row_id = o.row_id
              AND e.value_date = CASE WHEN a.attr_id % 5 = 2 THEN records.moment(CAST(v.value AS bigint)) END
              AND e.value_date IS NOT NULL
            UNION ALL
            SELECT e.ctid FROM records."eav_@" AS e
            WHERE a.attr_id % 5 = 3 AND e.schema_id = o.schema_id AND e.attr_id = a.attr_id AND e.row_id = o.row_id
              AND e.value_bool = CASE WHEN a.attr_id % 5 = 3 THEN CAST(v.value AS boolean) END AND e.value_bool IS NOT NULL
            UNION ALL
            SELECT e.ctid FROM records."eav_@" AS e
            WHERE a.attr_id % 5 = 4 AND e.schema_id = o.schema_id AND e.attr_id = a.attr_id AND e.row_id = o.row_id
              AND e.value_jsonb IS NOT NULL
            OFFSET 0) AS e
        WHERE v.value IS NOT NULL$sql$;
    other  TEXT := $sql$ o.doc -> (a.attr_id / 5) IS DISTINCT FROM n.doc -> (a.attr_id / 5)$sql$;
    ddl    TEXT;
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    ddl := $ddl$
        ALTER TABLE records."eav_@" DROP CONSTRAINT "eav_@_pkey";
        -- JSON has no order to be found by.
        CREATE INDEX "eav_@_jsonb_values_idx" ON records."eav_@" (schema_id, attr_id, row_id) WHERE value_jsonb IS NOT NULL;
        -- All values of a record, for who asks by hand: ids go up with time, so a record's values stand together.
        CREATE INDEX "eav_@_row_idx" ON records."eav_@" USING brin (row_id) WITH (pages_per_range = 32, autosummarize = on);

        ALTER TABLE records."records_@" DROP CONSTRAINT "records_@_schema_id_fkey";
        CREATE TRIGGER kept BEFORE DELETE OR UPDATE OF schema_id ON records."schemas_@"
            FOR EACH ROW EXECUTE FUNCTION records.keep_schema();

        DROP TRIGGER choices_added ON records."records_@";
        DROP TRIGGER choices_changed ON records."records_@";
        DROP TRIGGER choices_removed ON records."records_@";
        DROP FUNCTION records."choices_added_@"(), records."choices_changed_@"(), records."choices_removed_@"();

        CREATE OR REPLACE FUNCTION records."added_@"() RETURNS trigger LANGUAGE plpgsql AS $body$
        DECLARE
            has_unique BOOLEAN;
            has_lists  BOOLEAN;
            has_links  BOOLEAN;
            schemas    SMALLINT[];
        BEGIN
            @known
            @spread
            RETURN NULL;
        END
        $body$;

        -- Values are found one by one: a plan that was made while the tables were small would read them whole.
        CREATE OR REPLACE FUNCTION records."changed_@"() RETURNS trigger LANGUAGE plpgsql
        SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $body$
        DECLARE
            has_unique BOOLEAN;
            has_lists  BOOLEAN;
            has_links  BOOLEAN;
            schemas    SMALLINT[];
        BEGIN
            @known
            DELETE FROM records."eav_@" WHERE ctid = ANY (ARRAY(@place_changed));
            IF has_unique THEN
                DELETE FROM records."unique_values_@" AS e
                USING gone AS o, came AS n
                WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND e.schema_id = o.schema_id AND e.row_id = o.row_id
                  AND o.doc -> (e.attr_id / 5) IS DISTINCT FROM n.doc -> (e.attr_id / 5);
            END IF;
            IF has_links THEN
                DELETE FROM records."links_@" AS e
                USING gone AS o, came AS n
                WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND e.schema_id = o.schema_id AND e.row_id = o.row_id
                  AND o.doc -> (e.attr_id / 5) IS DISTINCT FROM n.doc -> (e.attr_id / 5);
            END IF;
            IF has_lists THEN
                DELETE FROM records."choices_@" AS e
                USING gone AS o, came AS n
                WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND e.schema_id = o.schema_id AND e.row_id = o.row_id
                  AND o.doc -> (e.attr_id / 5) IS DISTINCT FROM n.doc -> (e.attr_id / 5);
            END IF;
            @spread_changed
            INSERT INTO records."history_@" (schema_id, row_id, version, at, changed_by, changes)
            SELECT n.schema_id, n.row_id, n.version, n.updated_at, n.updated_by,
                   jsonb_object_agg(a.attr_id, jsonb_build_array(o.doc -> (a.attr_id / 5), n.doc -> (a.attr_id / 5)))
            FROM came AS n
            JOIN gone AS o ON o.schema_id = n.schema_id AND o.row_id = n.row_id AND o.version <> n.version
            JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id
            WHERE o.doc ->> (a.attr_id / 5) IS DISTINCT FROM n.doc ->> (a.attr_id / 5)
            GROUP BY n.schema_id, n.row_id, n.version, n.updated_at, n.updated_by;
            RETURN NULL;
        END
        $body$;

        CREATE OR REPLACE FUNCTION records."removed_@"() RETURNS trigger LANGUAGE plpgsql
        SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $body$
        BEGIN
            DELETE FROM records."eav_@" WHERE ctid = ANY (ARRAY(@place_gone));
            DELETE FROM records."unique_values_@" AS e USING gone AS o WHERE e.schema_id = o.schema_id AND e.row_id = o.row_id;
            DELETE FROM records."links_@" AS e USING gone AS o WHERE e.schema_id = o.schema_id AND e.row_id = o.row_id;
            DELETE FROM records."choices_@" AS e USING gone AS o WHERE e.schema_id = o.schema_id AND e.row_id = o.row_id;
            RETURN NULL;
        END
        $body$;
        $ddl$;
    ddl := replace(ddl, '@place_changed', replace(place, '#', '
        JOIN came AS n ON n.schema_id = o.schema_id AND n.row_id = o.row_id') || ' AND' || other);
    ddl := replace(ddl, '@place_gone', replace(place, '#', ''));
    -- Of a document that was changed, only the values that are others now.
    ddl := replace(ddl, '@spread_changed', replace(spread, '#', '
          AND EXISTS (
              SELECT FROM gone AS o
              WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND' || other || ')'));
    ddl := replace(ddl, '@spread', replace(spread, '#', ''));
    ddl := replace(ddl, '@known', known);
    EXECUTE replace(ddl, '@', suffix);
END
$once$;

ALTER FUNCTION records.make_tables(TEXT) RENAME TO make_tables_with_keys;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $make$
BEGIN
    PERFORM records.make_tables_with_keys(suffix);
    PERFORM records.index_values_once(suffix);
END
$make$;

-- Takes a project's tables away, and all that is in them.
CREATE OR REPLACE FUNCTION records.drop_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $drop$
BEGIN
    PERFORM records.drop_tables_without_choices(suffix);
    EXECUTE replace('DROP TABLE records."choices_@"', '@', suffix);
END
$drop$;

SELECT records.index_values_once(substr(relname, length('records_') + 1))
FROM pg_class
WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';
