package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Query;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the database's terms, for one user.
 *
 * @param namespaces all that are meant; none if it makes no difference
 * @param authors all who are meant; none if it makes no difference
 */
record Asked(
        UserId user,
        InboxFilter filter,
        Walk walk,
        @Nullable List<Long> namespaces,
        @Nullable Authors authors) {

    /**
     * A filter, with what it names looked up.
     *
     * @param about the type of the resource that it names, if it names one
     * @param partition where the user's items lie
     */
    static Asked of(
            UserId user,
            InboxFilter filter,
            @Nullable List<Long> namespaces,
            @Nullable Authors authors,
            @Nullable ResourceType about,
            int partition) {
        var conditions = new ArrayList<String>();
        if (!filter.actions().isEmpty()) {
            conditions.add("action = ANY (:actions)");
        }
        if (!filter.types().isEmpty()) {
            conditions.add("resource_type = ANY (:types)");
        }
        if (namespaces != null) {
            conditions.add("namespace_id IN (SELECT unnest(:namespaces))");
        }
        if (authors != null) {
            conditions.add("(author_id IN (SELECT unnest(:authors)) OR author_person_id IN (SELECT unnest(:people)))");
        }
        var walk = new Walk(filter.view(), filter.sort(), about, partition, List.copyOf(conditions));
        return new Asked(user, filter, walk, namespaces, authors);
    }

    Query bind(Query query, Optional<Position> after) {
        query.bind("user", user.value())
                .bind("id", after.map(position -> position.id().value()).orElse(walk.upwards() ? -1L : Long.MAX_VALUE));
        if (!filter.actions().isEmpty()) {
            query.bindArray("actions", Short.class, (Object[])
                    filter.actions().stream().map(one -> (short) one.code()).toArray(Short[]::new));
        }
        if (!filter.types().isEmpty()) {
            query.bindArray("types", Short.class, (Object[])
                    filter.types().stream().map(one -> (short) one.code()).toArray(Short[]::new));
        }
        if (namespaces != null) {
            query.bindArray("namespaces", Long.class, namespaces);
        }
        if (authors != null) {
            query.bindArray("authors", Long.class, authors.users()).bindArray("people", Long.class, authors.people());
        }
        if (walk.isByTime()) {
            // The driver sends these bounds as the infinities.
            query.bind(
                    "at",
                    after.map(position -> position.recommendedAt().atOffset(ZoneOffset.UTC))
                            .orElse(walk.upwards() ? OffsetDateTime.MIN : OffsetDateTime.MAX));
        }
        if (filter.resource() != null) {
            query.bind("resource", filter.resource().value());
        }
        return query;
    }
}
