-- The words of passages, each once, by which parts of words are found: zanz finds Zanzibar, and 1.2.3 finds v1.2.3. Few of the
-- words of a new text are new, so filling it costs little. See the ADR on the one search.
--
-- No unique key: whoever adds a word would wait for another who adds it too, until that transaction ends. One that is here
-- twice does no harm.
CREATE TABLE knowledge.search_terms (
    term   TEXT COLLATE "C" NOT NULL,
    absent TIMESTAMPTZ
) WITH (fillfactor = 90);
COMMENT ON COLUMN knowledge.search_terms.absent IS
    'Since when it is in no text; it is deleted a while later, and counts as missing until then';

-- Three characters in a row, with marks at both ends of the term.
CREATE FUNCTION knowledge.trigrams(term TEXT) RETURNS TEXT[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT array_agg(DISTINCT substr('^' || term || '$', n, 3)) FROM generate_series(1, length(term)) AS n);

CREATE INDEX idx_search_terms_term ON knowledge.search_terms (term);
CREATE INDEX idx_search_terms_trigrams ON knowledge.search_terms USING gin (knowledge.trigrams(term)) WITH (fastupdate = off);

-- Words of Latin, Greek and Cyrillic script, and numbers: where there are no spaces, every part is indexed already. Compared by
-- bytes, and without a regular expression, which cost more than all the rest.
CREATE FUNCTION knowledge.has_parts(term TEXT) RETURNS BOOLEAN
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN length(term) BETWEEN 3 AND 64
    AND (term COLLATE "C" >= '0' AND term COLLATE "C" < ':'
        OR term COLLATE "C" >= 'a' AND term COLLATE "C" < '{'
        OR term COLLATE "C" >= U&'\0370' AND term COLLATE "C" < U&'\0530');

-- The settings keep the planner at the index of terms, whatever it believes of their number.
CREATE FUNCTION knowledge.add_search_terms() RETURNS trigger
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
    INSERT INTO knowledge.search_terms (term)
    SELECT w.term
    FROM (SELECT DISTINCT t.term COLLATE "C" AS term
          FROM written
          CROSS JOIN LATERAL unnest(tsvector_to_array(written.words)) AS t (term)
          WHERE knowledge.has_parts(t.term)) AS w
    WHERE NOT EXISTS (SELECT FROM knowledge.search_terms s WHERE s.term = w.term AND s.absent IS NULL);
    RETURN NULL;
END
$$;
CREATE TRIGGER terms_of_inserted AFTER INSERT ON knowledge.knowledge_chunks
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION knowledge.add_search_terms();
CREATE TRIGGER terms_of_updated AFTER UPDATE ON knowledge.knowledge_chunks
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION knowledge.add_search_terms();

INSERT INTO knowledge.search_terms (term)
SELECT DISTINCT t.term
FROM knowledge.knowledge_chunks AS written
CROSS JOIN LATERAL unnest(tsvector_to_array(written.words)) AS t (term)
WHERE knowledge.has_parts(t.term);

-- Looks at the terms after one, and forgets those that are in no text any more: words of what people deleted must not stay. A
-- term is first marked, and deleted an hour later if it is still in no text: a transaction that saw it before it was marked has
-- ended by then. Returns the last one it looked at, or null at the end.
CREATE FUNCTION knowledge.sweep_search_terms(after TEXT, max_terms INT) RETURNS TEXT
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    one    RECORD;
    used   BOOLEAN;
    looked INT := 0;
    last   TEXT;
BEGIN
    FOR one IN
        SELECT s.term, s.absent FROM knowledge.search_terms s
        WHERE s.term > after COLLATE "C" ORDER BY s.term LIMIT max_terms
    LOOP
        looked := looked + 1;
        last := one.term;
        used := EXISTS (
            SELECT FROM knowledge.knowledge_chunks w
            WHERE w.words @@ CAST('''' || replace(replace(one.term, '\', '\\'), '''', '''''') || '''' AS tsquery));
        IF used AND one.absent IS NOT NULL THEN
            UPDATE knowledge.search_terms s SET absent = NULL WHERE s.term = one.term;
        ELSIF NOT used AND one.absent IS NULL THEN
            UPDATE knowledge.search_terms s SET absent = now() WHERE s.term = one.term AND s.absent IS NULL;
        ELSIF NOT used AND one.absent < now() - INTERVAL '1 hour' THEN
            DELETE FROM knowledge.search_terms s WHERE s.term = one.term AND s.absent < now() - INTERVAL '1 hour';
        END IF;
    END LOOP;
    RETURN CASE WHEN looked = max_terms THEN last END;
END
$$;
