-- An import goes by the id of its schema: a name can be given to another one while it runs (ADR 99).
ALTER TABLE records.imports ADD COLUMN schema_id SMALLINT;

DO $fill$
DECLARE
    suffix TEXT;
BEGIN
    FOR suffix IN
        SELECT substr(relname, length('schema_registry_') + 1)
        FROM pg_class
        WHERE relnamespace = 'records'::regnamespace AND relkind = 'r'
          AND relname ~ '^schema_registry_[a-z2-7]{13}_[0-9a-f]{16}$'
    LOOP
        EXECUTE format($sql$
            UPDATE records.imports AS i SET schema_id = r.schema_id
            FROM records.%I AS r
            WHERE i.project_id = $1 AND r.schema_name = i.schema_name
            $sql$, 'schema_registry_' || suffix)
        USING CAST(CAST('x' || right(suffix, 16) AS bit(64)) AS bigint);
    END LOOP;
END
$fill$;
