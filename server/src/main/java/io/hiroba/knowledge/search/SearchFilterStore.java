package io.hiroba.knowledge.search;

import io.hiroba.platform.db.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filters of a search as conditions of its statements, and their bindings. */
final class SearchFilterStore {

    private SearchFilterStore() {}

    /** As conditions on a table {@code t}, each after an AND. Only those given, so that the plan fits them. */
    static String conditions(SearchFilters filters) {
        return conditions(filters, "=", "t.created_at");
    }

    /** The same conditions in a form that no index serves: they are checked on what another index finds. */
    static String checks(SearchFilters filters) {
        return conditions(filters, "IS NOT DISTINCT FROM", "t.created_at + interval '0'");
    }

    private static String conditions(SearchFilters filters, String equals, String created) {
        var conditions = new ArrayList<String>();
        when(conditions, filters.type(), "t.source_type " + equals + " CAST(:type AS knowledge.source_type_enum)");
        when(conditions, filters.source(), "t.source_id " + equals + " :source");
        when(conditions, filters.collection(), "t.collection_id " + equals + " :collection");
        when(conditions, filters.channel(), "t.channel_id " + equals + " :channel");
        when(conditions, filters.user(), "t.user_id " + equals + " :user");
        when(conditions, filters.after(), created + " >= :after");
        when(conditions, filters.before(), created + " < :before");
        return String.join("", conditions);
    }

    private static void when(List<String> conditions, @Nullable Object given, String condition) {
        if (given != null) {
            conditions.add(" AND " + condition);
        }
    }

    private static void when(Query query, String name, @Nullable Long given) {
        if (given != null) {
            query.bind(name, given);
        }
    }

    static Query bind(Query query, SearchFilters filters) {
        var type = filters.type();
        if (type != null) {
            query.bind("type", type.text());
        }
        when(query, "source", filters.source() == null ? null : filters.source().value());
        when(
                query,
                "collection",
                filters.collection() == null ? null : filters.collection().value());
        when(query, "channel", filters.channel());
        when(query, "user", filters.user());
        var after = filters.after();
        if (after != null) {
            query.bind("after", after);
        }
        var before = filters.before();
        if (before != null) {
            query.bind("before", before);
        }
        return query;
    }
}
