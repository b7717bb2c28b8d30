-- Lists of people and of records. docs/adr/0120-people-and-lists-of-records.md says why they are stored as lists of options are.

-- Replaces a part of a function, which must be there: the rest is what it was.
CREATE FUNCTION records.edit_function(function REGPROCEDURE, part TEXT, other TEXT) RETURNS void LANGUAGE plpgsql AS $edit$
DECLARE
    source TEXT := pg_get_functiondef(function);
BEGIN
    IF strpos(source, part) = 0 THEN
        RAISE EXCEPTION '% has no "%"', function, part;
    END IF;
    EXECUTE replace(source, part, other);
END
$edit$;

-- Lets a record refer to several others by one attribute: each link has a row.
CREATE FUNCTION records.admit_lists(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $admit$
DECLARE
    -- The links of documents in `came`.
    linked TEXT := $sql$
            INSERT INTO records."links_@" (schema_id, row_id, attr_id, target_schema, target_row)
            SELECT n.schema_id, n.row_id, a.attr_id, a.target_schema, CAST(v.value AS uuid)
            FROM came AS n#
            JOIN records."attributes_@" AS a
                ON a.schema_id = n.schema_id AND a.value_type = 'multi_select' AND a.target_schema IS NOT NULL
            CROSS JOIN LATERAL jsonb_array_elements_text(
                CASE WHEN jsonb_typeof(n.doc -> (a.attr_id / 5)) = 'array' THEN n.doc -> (a.attr_id / 5) ELSE '[]' END) AS v (value)$sql$;
    known  TEXT;
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    EXECUTE replace($ddl$
        ALTER TABLE records."links_@"
            DROP CONSTRAINT "links_@_pkey",
            ADD PRIMARY KEY (schema_id, row_id, attr_id, target_row);
        $ddl$, '@', suffix);
    -- A list is no id: its links are written with its choices.
    FOREACH known IN ARRAY ARRAY['added', 'changed'] LOOP
        PERFORM records.edit_function(
            CAST(format('records.%I()', known || '_' || suffix) AS regprocedure),
            'a.target_schema IS NOT NULL', 'a.target_schema IS NOT NULL AND a.attr_id % 5 = 0');
    END LOOP;
    PERFORM records.edit_function(
        CAST(format('records.%I()', 'choices_added_' || suffix) AS regprocedure),
        'RETURN NULL;' || E'\n        END', replace(replace(linked, '#', ''), '@', suffix) || E';\n            RETURN NULL;\n        END');
    PERFORM records.edit_function(
        CAST(format('records.%I()', 'choices_changed_' || suffix) AS regprocedure),
        'RETURN NULL;' || E'\n        END',
        replace(replace(linked, '#', E'\n            JOIN gone AS o ON o.schema_id = n.schema_id AND o.row_id = n.row_id'), '@', suffix)
            || E'\n            WHERE o.doc -> (a.attr_id / 5) IS DISTINCT FROM n.doc -> (a.attr_id / 5);\n            RETURN NULL;\n        END');
END
$admit$;

ALTER FUNCTION records.make_tables(TEXT) RENAME TO make_tables_without_lists;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $make$
BEGIN
    PERFORM records.make_tables_without_lists(suffix);
    PERFORM records.admit_lists(suffix);
END
$make$;

SELECT records.admit_lists(substr(relname, length('records_') + 1))
FROM pg_class
WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';

-- In views a list of ids is a column of JSON, as one of options is.
SELECT records.edit_function(
    'records.sql_view_definitions(text, text)',
    'WHEN attribute.target_schema IS NOT NULL THEN',
    'WHEN attribute.target_schema IS NOT NULL AND attribute.value_type = ''text'' THEN');

-- What is computed from hidden values is hidden from viewers here too.
SELECT records.edit_function(
    'records.sql_view_definitions(text, text)',
    '($2 = ''OWNER'' OR NOT $3 ? attr_name)',
    '($2 = ''OWNER'' OR (NOT $3 ? attr_name AND NOT EXISTS (
                SELECT FROM records.computed_attributes AS c
                JOIN records.sql_access AS x ON x.project_id = c.project_id
                WHERE x.suffix = ''@'' AND c.schema_id = $1 AND c.attr_id = "attributes_@".attr_id AND c.concealed)))');

SELECT records.sync_sql_views(suffix) FROM records.sql_access;
