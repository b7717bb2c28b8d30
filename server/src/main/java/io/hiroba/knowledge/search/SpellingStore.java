package io.hiroba.knowledge.search;

import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.text.TokenVector;
import java.util.Collection;
import java.util.List;

/** Reads the terms of passages and who may read them. */
final class SpellingStore {

    /** The passages that are looked at for one that the caller may read, and those that are counted. */
    private static final int MAX_READ = 1_000;

    private static final int MAX_COUNTED = 50;

    /** The longer terms that are looked at for one that the caller may read. */
    private static final int MAX_LONGER = 20;

    /** The terms of {@code variants} that some passage holds, whoever may read it. */
    List<String> terms(Reads reads, Collection<String> variants) {
        return reads.query("""
                SELECT DISTINCT s.term FROM knowledge.search_terms s
                WHERE s.term = ANY (CAST(:variants AS text[])) AND s.absent IS NULL
                """)
                .bindArray("variants", String.class, List.copyOf(variants))
                .mapTo(String.class)
                .list();
    }

    /** Longer terms of passages that begin with {@code lexeme}, whoever may read them. */
    List<String> longer(Reads reads, String lexeme) {
        return reads.query("""
                SELECT DISTINCT s.term FROM knowledge.search_terms s
                WHERE s.term > :lexeme AND s.term < :end AND s.absent IS NULL
                LIMIT :max
                """)
                .bind("lexeme", lexeme)
                .bind("end", lexeme + "{")
                .bind("max", MAX_LONGER)
                .mapTo(String.class)
                .list();
    }

    /**
     * A term in passages that the caller may read.
     *
     * @param chunks how many there are, up to some
     * @param text one of them, below its title and heading
     */
    record ReadableTerm(String lexeme, int chunks, String text) {}

    /** Those of {@code lexemes} that are in passages which the caller may read. */
    List<ReadableTerm> readable(Reads reads, KnowledgeReader caller, List<String> lexemes) {
        return reads.query("""
                SELECT l.lexeme, found.chunks, found.text
                FROM unnest(CAST(:lexemes AS text[]), CAST(:queries AS text[])) AS l (lexeme, query)
                CROSS JOIN LATERAL (
                    SELECT count(*) AS chunks, min(concat_ws(E'\\n', s.title, c.label, c.content)) AS text
                    FROM (SELECT t.source_id, t.location ->> 'label' AS label, t.content
                          FROM (SELECT w.source_id, w.location, w.content, w.is_public, w.owned_by, w.source_type,
                                       w.collection_id
                                FROM knowledge.knowledge_chunks w
                                WHERE w.words @@ CAST(l.query AS tsquery) LIMIT %d) AS t
                          WHERE %s
                          LIMIT %d) AS c
                    JOIN knowledge.knowledge_sources s ON s.id = c.source_id) AS found
                WHERE found.chunks > 0
                """.formatted(MAX_READ, SearchStore.VISIBLE, MAX_COUNTED))
                .bindArray("lexemes", String.class, lexemes)
                .bindArray("queries", String.class, lexemes, TokenVector::quote)
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("resources", caller.resources())
                .map(row -> new ReadableTerm(row.getString("lexeme"), row.getInt("chunks"), row.getString("text")))
                .list();
    }

    /** Whether one of {@code lexemes} is in a passage that the caller may read; the first one found is enough. */
    boolean isReadable(Reads reads, KnowledgeReader caller, List<String> lexemes) {
        return reads.query("""
                SELECT EXISTS (
                    SELECT FROM unnest(CAST(:queries AS text[])) AS l (query)
                    CROSS JOIN LATERAL (
                        SELECT w.source_id, w.is_public, w.owned_by, w.source_type, w.collection_id
                        FROM knowledge.knowledge_chunks w
                        WHERE w.words @@ CAST(l.query AS tsquery) LIMIT %d) AS t
                    WHERE %s) AS is_readable
                """.formatted(MAX_READ, SearchStore.VISIBLE))
                .bindArray("queries", String.class, lexemes, TokenVector::quote)
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("resources", caller.resources())
                .map(row -> row.getBoolean("is_readable"))
                .one();
    }
}
