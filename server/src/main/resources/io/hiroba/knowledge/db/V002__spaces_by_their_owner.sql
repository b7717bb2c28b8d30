-- The role that serves requests owns nothing (ADR 79): tables of embeddings are made and dropped as the owner of the schema.
ALTER FUNCTION knowledge.make_space(TEXT, TEXT, INT, TEXT) SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;

-- Drops the vectors of a space.
CREATE FUNCTION knowledge.drop_vectors(space INT) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('DROP TABLE knowledge.embeddings_%s', space);
END
$$;
