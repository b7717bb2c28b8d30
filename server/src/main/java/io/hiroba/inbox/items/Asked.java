package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.resources.ResourceId;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the database's terms, for one user.
 *
 * @param namespaces all that are meant; none if it makes no difference
 * @param authors all who are meant; none if it makes no difference
 */
record Asked(
        UserId user,
        Walk walk,
        Set<Action> actions,
        Set<ResourceType> types,
        @Nullable List<Long> namespaces,
        @Nullable Authors authors,
        @Nullable ResourceId resource) {

    Query bind(Query query, Optional<Position> after, int limit) {
        var people = authors == null ? Authors.NOBODY : authors;
        query.bind("user", user.value())
                .bind("anyAction", actions.isEmpty())
                .bindArray("actions", Short.class, (Object[])
                        actions.stream().map(one -> (short) one.code()).toArray(Short[]::new))
                .bind("anyType", types.isEmpty())
                .bindArray("types", Short.class, (Object[])
                        types.stream().map(one -> (short) one.code()).toArray(Short[]::new))
                .bind("anywhere", namespaces == null)
                .bindArray("namespaces", Long.class, namespaces == null ? List.of() : namespaces)
                .bind("anybody", authors == null)
                .bindArray("authors", Long.class, people.users())
                .bindArray("people", Long.class, people.people())
                .bind("id", after.map(position -> position.id().value()).orElse(walk.upwards() ? -1L : Long.MAX_VALUE))
                .bind("limit", limit);
        if (walk.isByTime()) {
            // The driver sends these bounds as the infinities.
            query.bind(
                    "at",
                    after.map(position -> position.recommendedAt().atOffset(ZoneOffset.UTC))
                            .orElse(walk.upwards() ? OffsetDateTime.MIN : OffsetDateTime.MAX));
        }
        if (resource != null) {
            query.bind("resource", resource.value());
        }
        return query;
    }
}
