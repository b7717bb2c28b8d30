package io.hiroba.knowledge.search;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.platform.db.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a search is narrowed to; what is not given narrows nothing. */
public record Filters(
        @Nullable SourceType type,
        @Nullable SourceId source,
        @Nullable Long channel,
        @Nullable Long user,
        @Nullable Instant after,
        @Nullable Instant before) {

    public static final Filters NONE = new Filters(null, null, null, null, null, null);

    private static final Instant EARLIEST = Instant.EPOCH;
    /** The database knows no later ones than 294276; nobody means them. */
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    public Filters {
        requireReal("filters.after", after);
        requireReal("filters.before", before);
    }

    private static void requireReal(String field, @Nullable Instant moment) {
        if (moment != null && (moment.isBefore(EARLIEST) || moment.isAfter(LATEST))) {
            throw KnowledgeProblem.invalid(field, "must be between 1970 and 2200");
        }
    }

    /** As conditions on a table {@code t}, each behind an AND. Only what is given, so that it is planned for that. */
    String conditions() {
        return conditions("=", "t.created_at");
    }

    /** The same conditions, written so that no index serves them: they are checked of what another index finds. */
    String checks() {
        return conditions("IS NOT DISTINCT FROM", "t.created_at + interval '0'");
    }

    private String conditions(String equals, String created) {
        var conditions = new ArrayList<String>();
        when(conditions, type, "t.source_type " + equals + " CAST(:type AS knowledge.source_type_enum)");
        when(conditions, source, "t.source_id " + equals + " :source");
        when(conditions, channel, "t.channel_id " + equals + " :channel");
        when(conditions, user, "t.user_id " + equals + " :user");
        when(conditions, after, created + " >= :after");
        when(conditions, before, created + " < :before");
        return String.join("", conditions);
    }

    private static void when(List<String> conditions, @Nullable Object given, String condition) {
        if (given != null) {
            conditions.add(" AND " + condition);
        }
    }

    Query bind(Query query) {
        if (type != null) {
            query.bind("type", type.text());
        }
        if (source != null) {
            query.bind("source", source.value());
        }
        if (channel != null) {
            query.bind("channel", channel);
        }
        if (user != null) {
            query.bind("user", user);
        }
        if (after != null) {
            query.bind("after", after);
        }
        if (before != null) {
            query.bind("before", before);
        }
        return query;
    }
}
