package io.hiroba.records;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.search.SearchWords;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds records of a schema by their texts: those with a text that begins with what was typed, in its usual spellings in upper and
 * lower case, along the index of texts, and among the newest those with all words anywhere. What the caller may read of them is decided afterwards.
 */
final class RecordSearchStore {

    /** The newest records of a schema that are looked at. */
    static final int MAX_READ = 2_000;

    /** The first letter of a word. */
    private static final Pattern INITIAL = Pattern.compile("(?<![\\p{L}\\p{M}\\p{N}])\\p{L}");

    /** Sorts after every text that begins with what comes before it. */
    private static final String LAST = "\uDBFF\uDFFF";

    /** Nothing if the schema is not the one in {@code schema} any more: its rules may be others. */
    List<RecordRow> search(
            Reads reads, ProjectTables tables, Schema schema, List<SchemaAttribute> texts, String typed, int limit) {
        return query(reads, "", tables, schema, texts, typed, limit)
                .map(row -> RecordStore.row(row))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(
            Reads reads,
            String lead,
            ProjectTables tables,
            Schema schema,
            List<SchemaAttribute> texts,
            String typed,
            int limit) {
        var spellings = spellings(typed);
        return reads.query(lead + """
                SELECT r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc
                FROM (SELECT newest.row_id
                      FROM (SELECT row_id, doc FROM %1$s WHERE schema_id = :schema ORDER BY row_id DESC LIMIT :read) AS newest
                      WHERE newest.doc::text ILIKE ALL (:patterns)
                      UNION
                      SELECT begun.row_id
                      FROM unnest(:firsts, :lasts) AS spelling (first, last)
                      CROSS JOIN LATERAL (
                           SELECT e.row_id FROM %2$s AS e
                           WHERE e.schema_id = :schema AND e.attr_id = ANY (:texts)
                             AND e.value_text >= spelling.first COLLATE "C" AND e.value_text < spelling.last COLLATE "C"
                             AND e.value_text IS NOT NULL
                           LIMIT :limit) AS begun) AS found
                JOIN %1$s AS r ON r.schema_id = :schema AND r.row_id = found.row_id
                WHERE EXISTS (SELECT FROM %3$s AS s WHERE s.schema_id = :schema AND s.version = :version)
                ORDER BY r.row_id DESC
                LIMIT :limit
                """.formatted(tables.records(), tables.eav(), tables.schemas()))
                .bind("schema", schema.id())
                .bind("version", schema.version())
                .bindArray("texts", Short.class, texts, SchemaAttribute::id)
                // As they stand in JSON.
                .bindArray(
                        "patterns",
                        String.class,
                        SearchWords.of(typed).words().stream()
                                .map(word -> SearchWords.pattern(word.replace("\\", "\\\\")))
                                .toList())
                .bindArray("firsts", String.class, spellings)
                .bindArray(
                        "lasts",
                        String.class,
                        spellings.stream().map(each -> each + LAST).toList())
                .bind("read", MAX_READ)
                .bind("limit", limit);
    }

    /** The usual spellings of a text in upper and lower case: the index knows none of them as equal. */
    private static List<String> spellings(String typed) {
        var lower = typed.toLowerCase(Locale.ROOT);
        return Stream.of(
                        typed,
                        lower,
                        typed.toUpperCase(Locale.ROOT),
                        INITIAL.matcher(lower).replaceFirst(RecordSearchStore::upper),
                        INITIAL.matcher(lower).replaceAll(RecordSearchStore::upper))
                .distinct()
                .toList();
    }

    private static String upper(MatchResult initial) {
        return Matcher.quoteReplacement(initial.group().toUpperCase(Locale.ROOT));
    }
}
