-- Several options in one value: attributes of the type multi_select. docs/adr/0111-formats-and-lists.md says why they are stored so.

-- Adds to a project's tables the chosen options, one a row, for the index. The document has them in their order.
CREATE FUNCTION records.admit_choices(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $admit$
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    EXECUTE replace($ddl$
        ALTER TABLE records."attributes_@"
            DROP CONSTRAINT IF EXISTS "attributes_@_type",
            ADD CONSTRAINT "attributes_@_type" CHECK (
                CASE attr_id % 5
                    WHEN 0 THEN value_type = 'text'
                    WHEN 1 THEN value_type = 'numeric'
                    WHEN 2 THEN value_type IN ('date', 'datetime')
                    WHEN 3 THEN value_type = 'bool'
                    ELSE value_type IN ('jsonb', 'multi_select')
                END);

        -- Only the triggers below write here.
        CREATE TABLE records."choices_@" (
            schema_id  SMALLINT NOT NULL,
            attr_id    SMALLINT NOT NULL,
            value_text TEXT COLLATE "C" NOT NULL,
            row_id     UUID     NOT NULL,
            PRIMARY KEY (schema_id, attr_id, value_text, row_id)
        ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

        CREATE INDEX "choices_@_row_idx" ON records."choices_@" (schema_id, row_id);

        CREATE FUNCTION records."choices_added_@"() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            INSERT INTO records."choices_@" (schema_id, attr_id, value_text, row_id)
            SELECT n.schema_id, a.attr_id, v.value, n.row_id
            FROM came AS n
            JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id AND a.value_type = 'multi_select'
            CROSS JOIN LATERAL jsonb_array_elements_text(
                CASE WHEN jsonb_typeof(n.doc -> (a.attr_id / 5)) = 'array' THEN n.doc -> (a.attr_id / 5) ELSE '[]' END) AS v (value);
            RETURN NULL;
        END
        $body$;

        CREATE FUNCTION records."choices_changed_@"() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            -- Most projects have no such attribute.
            IF NOT EXISTS (SELECT FROM records."attributes_@" WHERE value_type = 'multi_select') THEN
                RETURN NULL;
            END IF;
            DELETE FROM records."choices_@" AS e
            USING gone AS o, came AS n
            WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND e.schema_id = o.schema_id AND e.row_id = o.row_id
              AND o.doc -> (e.attr_id / 5) IS DISTINCT FROM n.doc -> (e.attr_id / 5);
            INSERT INTO records."choices_@" (schema_id, attr_id, value_text, row_id)
            SELECT n.schema_id, a.attr_id, v.value, n.row_id
            FROM came AS n
            JOIN gone AS o ON o.schema_id = n.schema_id AND o.row_id = n.row_id
            JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id AND a.value_type = 'multi_select'
            CROSS JOIN LATERAL jsonb_array_elements_text(
                CASE WHEN jsonb_typeof(n.doc -> (a.attr_id / 5)) = 'array' THEN n.doc -> (a.attr_id / 5) ELSE '[]' END) AS v (value)
            WHERE o.doc -> (a.attr_id / 5) IS DISTINCT FROM n.doc -> (a.attr_id / 5);
            RETURN NULL;
        END
        $body$;

        CREATE FUNCTION records."choices_removed_@"() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            DELETE FROM records."choices_@" AS e USING gone AS o WHERE e.schema_id = o.schema_id AND e.row_id = o.row_id;
            RETURN NULL;
        END
        $body$;

        CREATE TRIGGER choices_added AFTER INSERT ON records."records_@" REFERENCING NEW TABLE AS came
            FOR EACH STATEMENT EXECUTE FUNCTION records."choices_added_@"();
        CREATE TRIGGER choices_changed AFTER UPDATE ON records."records_@" REFERENCING OLD TABLE AS gone NEW TABLE AS came
            FOR EACH STATEMENT EXECUTE FUNCTION records."choices_changed_@"();
        CREATE TRIGGER choices_removed AFTER DELETE ON records."records_@" REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION records."choices_removed_@"();
        $ddl$, '@', suffix);
END
$admit$;

ALTER FUNCTION records.make_tables(TEXT) RENAME TO make_tables_without_choices;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $make$
BEGIN
    PERFORM records.make_tables_without_choices(suffix);
    PERFORM records.admit_choices(suffix);
END
$make$;

ALTER FUNCTION records.drop_tables(TEXT) RENAME TO drop_tables_without_choices;

-- Takes a project's tables away, and all that is in them.
CREATE FUNCTION records.drop_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $drop$
BEGIN
    PERFORM records.drop_tables_without_choices(suffix);
    EXECUTE replace($ddl$
        DROP TABLE records."choices_@";
        DROP FUNCTION records."choices_added_@"(), records."choices_changed_@"(), records."choices_removed_@"();
        $ddl$, '@', suffix);
END
$drop$;

SELECT records.admit_choices(substr(relname, length('records_') + 1))
FROM pg_class
WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';
