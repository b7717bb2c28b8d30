-- A walk finds ids and looks up a record for each: that is most of what a page costs. A hash of the id leads there in one page
-- instead of a tree's three, which takes a sixth off a page and a quarter off one that looks at many records to show a few.
-- docs/adr/0030-record-queries.md has the numbers.

CREATE FUNCTION records.make_lookup(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $make$
BEGIN
    EXECUTE format('CREATE INDEX %I ON records.%I USING hash (row_id)', 'records_' || suffix || '_row_idx', 'records_' || suffix);
END
$make$;

ALTER FUNCTION records.make_tables(TEXT) RENAME TO make_tables_without_lookup;

CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $make$
BEGIN
    PERFORM records.make_tables_without_lookup(suffix);
    PERFORM records.make_lookup(suffix);
END
$make$;

SELECT records.make_lookup(substr(c.relname, length('records_') + 1))
FROM pg_class AS c
WHERE c.relnamespace = CAST('records' AS regnamespace) AND c.relkind = 'r'
  AND c.relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';
