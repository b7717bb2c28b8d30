package io.hiroba.platform.text;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The vocabulary of a feature's indexed texts, by which parts of words are found: every term once, however many texts hold it.
 * Its table {@code search_terms} has an index of the three characters in a row of each term, and triggers fill it.
 */
public final class VocabularyStore {

    /** A place of a part in a term. */
    public enum Place {
        ANYWHERE,
        START,
        END
    }

    private static final int GRAM = 3;
    /** A part of very many words: only so many are looked at. */
    private static final int MAX_READ = 1_000;

    private final String schema;

    public VocabularyStore(String schema) {
        this.schema = schema;
    }

    /** Whether the index can find {@code part} at a place: it takes three characters, the ends of a term included. */
    public static boolean finds(String part, Place place) {
        return part.codePointCount(0, part.length()) >= (place == Place.ANYWHERE ? GRAM : GRAM - 1);
    }

    /** The terms with {@code part}, the shortest first. */
    public List<String> terms(Reads reads, String part, Place place, int limit) {
        return query(reads, "", part, place, limit).mapTo(String.class).list();
    }

    /** {@code lead} may be EXPLAIN. */
    public Query query(Reads reads, String lead, String part, Place place, int limit) {
        return reads.query(lead + """
                SELECT found.term
                FROM (SELECT term FROM %1$s.search_terms
                      WHERE %1$s.trigrams(term) @> CAST(:grams AS text[]) AND strpos('^' || term || '$', :part) > 0
                      LIMIT :read) AS found
                GROUP BY found.term
                ORDER BY length(found.term), found.term
                LIMIT :limit
                """.formatted(schema))
                .bindArray("grams", String.class, grams(padded(part, place)))
                .bind("part", padded(part, place))
                .bind("read", MAX_READ)
                .bind("limit", limit);
    }

    /**
     * Checks terms in their order, and forgets those that have been in no text for a while.
     *
     * @param after the last term that was checked; empty for the first
     * @return the last one that was checked now; empty at the end
     */
    public Optional<String> sweep(Tx tx, String after, int limit) {
        return tx.query("SELECT %s.sweep_search_terms(:after, :limit)".formatted(schema))
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> Optional.ofNullable(row.getString(1)))
                .one();
    }

    private static String padded(String part, Place place) {
        return switch (place) {
            case ANYWHERE -> part;
            case START -> "^" + part;
            case END -> part + "$";
        };
    }

    private static List<String> grams(String text) {
        var characters = text.codePoints().toArray();
        return IntStream.rangeClosed(0, characters.length - GRAM)
                .mapToObj(at -> new String(characters, at, GRAM))
                .distinct()
                .toList();
    }
}
