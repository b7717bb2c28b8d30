package io.hiroba.inbox;

import io.hiroba.inbox.fanout.NamespaceId;
import org.jspecify.annotations.Nullable;

/**
 * A recipient's preference for the items of a scope.
 *
 * @param path of the namespace; null for everywhere
 */
public record InboxPreference(Scope scope, @Nullable String path, DeliveryMode delivery) {

    /**
     * The items that a preference applies to.
     *
     * @param namespace with its descendants; null for everywhere
     * @param action null for all
     */
    public record Scope(
            @Nullable NamespaceId namespace, @Nullable Action action) {}
}
