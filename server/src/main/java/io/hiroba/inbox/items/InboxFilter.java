package io.hiroba.inbox.items;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.ResourceId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which items are asked for, and in which order.
 *
 * @param actions none for all
 * @param types none for all
 * @param namespace with all below it; none for all
 * @param author a user's id or the name of somebody here or elsewhere; none for all
 * @param resource none for all
 */
public record InboxFilter(
        View view,
        Set<Action> actions,
        Set<ResourceType> types,
        @Nullable NamespaceId namespace,
        @Nullable String author,
        @Nullable ResourceId resource,
        Sort sort) {

    public InboxFilter {
        actions = Set.copyOf(actions);
        types = Set.copyOf(types);
    }

    /** Everything in a view, in the recommended order. */
    public static InboxFilter of(View view) {
        return new InboxFilter(view, Set.of(), Set.of(), null, null, null, Sort.RECOMMENDED);
    }

    public InboxFilter sorted(Sort other) {
        return new InboxFilter(view, actions, types, namespace, author, resource, other);
    }
}
