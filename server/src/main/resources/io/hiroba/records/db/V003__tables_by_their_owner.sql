-- The role that serves requests owns nothing (ADR 79): tables of projects are made and dropped as the owner of the schema.
-- Both functions refuse whatever is no suffix of a project.
ALTER FUNCTION records.make_tables(TEXT) SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION records.drop_tables(TEXT) SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
