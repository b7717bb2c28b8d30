package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter whose names are resolved to ids, for one user.
 *
 * @param namespaces null for all
 * @param authors null for all
 */
record ResolvedInboxFilter(
        UserId user,
        InboxFilter filter,
        ItemIndexScan scan,
        @Nullable List<Long> namespaces,
        ItemAuthorStore.@Nullable Authors authors) {

    /**
     * Builds the scan of a filter.
     *
     * @param resourceType the type of the resource that it names, if any
     * @param partition of the user's items
     */
    static ResolvedInboxFilter of(
            UserId user,
            InboxFilter filter,
            @Nullable List<Long> namespaces,
            ItemAuthorStore.@Nullable Authors authors,
            @Nullable ResourceType resourceType,
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
        var scan = new ItemIndexScan(filter.view(), filter.sort(), resourceType, partition, List.copyOf(conditions));
        return new ResolvedInboxFilter(user, filter, scan, namespaces, authors);
    }
}
