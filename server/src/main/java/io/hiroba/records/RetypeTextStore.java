package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what is to be known of all texts of an attribute before they are converted. */
final class RetypeTextStore {

    /** How the texts of an attribute that is to be of {@code change} are written: all as percentages or durations, days in which order. */
    ValueConversion.Written written(
            Reads reads, ProjectTables tables, Schema schema, SchemaAttribute from, Retypes.Change change) {
        if (from.type() != ValueType.TEXT
                || (change.type() != ValueType.NUMERIC && !change.type().isTime())) {
            return ValueConversion.Written.PLAIN;
        }
        var dates = change.dates();
        return reads.query("""
                SELECT coalesce(bool_and(value ~ '[%%％]\\s*$'), false) AS percent,
                       coalesce(bool_and(value ~ '^\\s*-?(\\d+:)?\\d+:[0-5]\\d(\\.\\d+)?\\s*$'), false) AS duration,
                       coalesce(bool_or(CAST(day[1] AS int) > 12), false) AS day_first,
                       coalesce(bool_or(CAST(day[2] AS int) > 12), false) AS month_first
                FROM (SELECT doc ->> :place AS value,
                             regexp_match(doc ->> :place, '^\\s*(\\d{1,2})[/-](\\d{1,2})[/-]\\d{4}') AS day
                      FROM %s
                      WHERE schema_id = :schema AND doc ->> :place IS NOT NULL) AS texts
                """.formatted(tables.records()))
                .bind("schema", schema.id())
                .bind("place", from.place())
                .map(row -> new ValueConversion.Written(
                        row.getBoolean("percent")
                                ? ValueFormat.Kind.PERCENT
                                : row.getBoolean("duration") ? ValueFormat.Kind.DURATION : null,
                        dates == null ? order(row.getBoolean("month_first"), row.getBoolean("day_first")) : dates))
                .one();
    }

    /** The order that some day shows and no other contradicts. */
    private static @Nullable DateOrder order(boolean monthFirst, boolean dayFirst) {
        return monthFirst == dayFirst ? null : monthFirst ? DateOrder.MONTH_FIRST : DateOrder.DAY_FIRST;
    }

    /** The elements of lists at {@code place}, each once, in order. */
    List<String> elements(Reads reads, ProjectTables tables, short schema, int place, int limit) {
        return reads.query("""
                SELECT DISTINCT element
                FROM (SELECT jsonb_array_elements_text(doc -> :place) AS element
                      FROM %s
                      WHERE schema_id = :schema AND jsonb_typeof(doc -> :place) = 'array') AS elements
                ORDER BY element
                LIMIT :limit
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", place)
                .bind("limit", limit)
                .mapTo(String.class)
                .list();
    }
}
