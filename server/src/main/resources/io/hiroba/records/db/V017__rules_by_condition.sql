-- Rules that show records by conditions (docs/adr/0122-rules-by-role.md). As with other rules for rows, who reads by SQL is nobody whom
-- they could be applied to: such schemas are left out.
ALTER FUNCTION records.sql_view_definitions(TEXT, TEXT) RENAME TO sql_view_definitions_of_all;

CREATE FUNCTION records.sql_view_definitions(project_suffix TEXT, reader TEXT)
RETURNS TABLE (schema_id SMALLINT, view_name TEXT, definition TEXT) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $definitions$
BEGIN
    RETURN QUERY EXECUTE replace($q$
        SELECT d.schema_id, d.view_name, d.definition
        FROM records.sql_view_definitions_of_all($1, $2) AS d
        JOIN records."schemas_@" AS s ON s.schema_id = d.schema_id
        WHERE $2 = 'OWNER'
           OR coalesce(jsonb_array_length(s.rules -> 'where'), 0) = 0
        $q$, '@', project_suffix) USING project_suffix, reader;
END
$definitions$;
