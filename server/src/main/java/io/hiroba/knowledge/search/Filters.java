package io.hiroba.knowledge.search;

import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.statement.Query;
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

    /** As conditions on a table {@code t}, each behind an AND. Only what is given, so that it is planned for that. */
    String conditions() {
        var conditions = new ArrayList<String>();
        when(conditions, type, "t.source_type = CAST(:type AS knowledge.source_type_enum)");
        when(conditions, source, "t.source_id = :source");
        when(conditions, channel, "t.channel_id = :channel");
        when(conditions, user, "t.user_id = :user");
        when(conditions, after, "t.created_at >= :after");
        when(conditions, before, "t.created_at < :before");
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
