package io.hiroba.inbox;

import io.hiroba.inbox.fanout.NamespaceId;
import org.jspecify.annotations.Nullable;

/**
 * A recipient's preference for the items of a scope.
 *
 * @param path that of the namespace, for people to read; none where it is about everywhere
 */
public record InboxPreference(Scope scope, @Nullable String path, DeliveryMode delivery) {

    /**
     * The items that a preference applies to.
     *
     * @param namespace with all below it; null for everywhere
     * @param action null for every one
     */
    public record Scope(
            @Nullable NamespaceId namespace, @Nullable Action action) {}
}
