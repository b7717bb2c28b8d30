package io.hiroba.inbox;

import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.ResourceId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter and order of a user's items.
 *
 * @param actions empty for all
 * @param types empty for all
 * @param namespace with its descendants; null for all
 * @param author a user's id, nickname or external user name; null for all
 * @param resource null for all
 */
public record InboxFilter(
        InboxView view,
        Set<Action> actions,
        Set<ResourceType> types,
        @Nullable NamespaceId namespace,
        @Nullable String author,
        @Nullable ResourceId resource,
        ItemSort sort) {

    public InboxFilter {
        actions = Set.copyOf(actions);
        types = Set.copyOf(types);
    }

    /** All items of a view, in the recommended order. */
    public static InboxFilter of(InboxView view) {
        return new InboxFilter(view, Set.of(), Set.of(), null, null, null, ItemSort.RECOMMENDED);
    }

    public InboxFilter sorted(ItemSort other) {
        return new InboxFilter(view, actions, types, namespace, author, resource, other);
    }
}
