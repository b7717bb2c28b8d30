package io.hiroba.knowledge.search;

import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The filters of a search; those not given do not restrict it. */
public record SearchFilters(
        @Nullable SourceType type,
        @Nullable SourceId source,
        @Nullable Long channel,
        @Nullable Long user,
        @Nullable Instant after,
        @Nullable Instant before,
        @Nullable CollectionId collection) {

    public static final SearchFilters NONE = new SearchFilters(null, null, null, null, null, null);

    public static SearchFilters of(SourceType type) {
        return new SearchFilters(type, null, null, null, null, null);
    }

    /** The filters of a search in all collections. */
    public SearchFilters(
            @Nullable SourceType type,
            @Nullable SourceId source,
            @Nullable Long channel,
            @Nullable Long user,
            @Nullable Instant after,
            @Nullable Instant before) {
        this(type, source, channel, user, after, before, null);
    }

    private static final Instant EARLIEST = Instant.EPOCH;
    /** PostgreSQL supports no later timestamps than the year 294276. */
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    public SearchFilters {
        requireReal("filters.after", after);
        requireReal("filters.before", before);
    }

    private static void requireReal(String field, @Nullable Instant moment) {
        if (moment != null && (moment.isBefore(EARLIEST) || moment.isAfter(LATEST))) {
            throw KnowledgeProblem.invalid(field, Text.of("knowledge.field.between", "min", "1970", "max", "2200"));
        }
    }
}
