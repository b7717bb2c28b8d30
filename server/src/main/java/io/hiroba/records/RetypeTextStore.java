package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what is to be known of all texts of an attribute before they are converted. */
final class RetypeTextStore {

    /** The characters of currencies, which regular expressions of the database have no name for. */
    private static final String CURRENCY_SIGNS = "$¢£¤¥֏؋৲৳৻૱௹฿៛₠-⃀꠸﷼﹩＄￠￡￥￦";

    /**
     * How the texts of an attribute that is to be of {@code change} are written: all as percentages or durations, amounts with which
     * sign, days in which order.
     */
    ValueConversion.Written written(
            Reads reads, ProjectTables tables, Schema schema, SchemaAttribute from, Retypes.Change change) {
        if (from.type() != ValueType.TEXT
                || (change.type() != ValueType.NUMERIC && !change.type().isTime())) {
            return ValueConversion.Written.PLAIN;
        }
        var dates = change.dates();
        return reads.query("""
                SELECT coalesce(bool_and(value ~ '[%%％]\\s*$'), false) AS percent,
                       -- A time of the day and minutes with seconds look alike.
                       coalesce(bool_and(value ~ '^\\s*-?[0-9]+:[0-5]?[0-9]:[0-5][0-9](\\.[0-9]+)?\\s*$'), false) AS duration,
                       min(sign) AS first_sign,
                       max(sign) AS last_sign,
                       coalesce(bool_or(CAST(day[1] AS int) > 12), false) AS day_first,
                       coalesce(bool_or(CAST(day[2] AS int) > 12), false) AS month_first
                FROM (SELECT value,
                             btrim(substring(value FROM '^\\s*[+-]?[%2$s]|[%2$s]\\s*$'), '+- ') AS sign,
                             regexp_match(value, '^\\s*([0-9]{1,2})[/-]([0-9]{1,2})[/-][0-9]{4}') AS day
                      -- Computed once each.
                      FROM (SELECT doc ->> :place AS value FROM %1$s
                            WHERE schema_id = :schema AND doc ->> :place IS NOT NULL OFFSET 0) AS kept
                      OFFSET 0) AS texts
                """.formatted(tables.records(), CURRENCY_SIGNS))
                .bind("schema", schema.id())
                .bind("place", from.place())
                .map(row -> new ValueConversion.Written(
                        row.getBoolean("percent")
                                ? ValueFormat.Kind.PERCENT
                                : row.getBoolean("duration") ? ValueFormat.Kind.DURATION : null,
                        sign(row.getString("first_sign"), row.getString("last_sign")),
                        dates == null ? order(row.getBoolean("month_first"), row.getBoolean("day_first")) : dates))
                .one();
    }

    /** The sign of all amounts, in the plain form. */
    private static @Nullable String sign(@Nullable String first, @Nullable String last) {
        if (first == null || last == null) {
            return null;
        }
        var sign = WrittenValues.plain(first);
        return sign.equals(WrittenValues.plain(last)) ? sign : null;
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
