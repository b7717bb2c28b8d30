package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.inbox.fanout.SnoozeEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An item of a user's inbox.
 *
 * @param approval null if it asks for none, or for one that is gone
 * @param author null if nobody caused it, or an account that was deleted
 * @param snoozedUntil the end of its last snooze, also after that
 * @param snoozedEvent the event that ends its snooze
 * @param resolvedBy null until it is done
 */
public record InboxItem(
        ItemId id,
        Action action,
        ItemState state,
        Subject resource,
        Namespace namespace,
        @Nullable Approval approval,
        @Nullable Author author,
        boolean read,
        boolean saved,
        @Nullable Instant snoozedUntil,
        @Nullable SnoozeEvent snoozedEvent,
        @Nullable Resolution resolvedBy,
        Instant createdAt,
        Instant updatedAt) {

    /**
     * The author of an item.
     *
     * @param user their account here, if they have one
     * @param username their name where the item comes from
     */
    public record Author(
            @Nullable UserId user,
            String name,
            @Nullable String username,
            @Nullable String avatarUrl) {}

    /**
     * The resource of an item, as its owner sees it.
     *
     * @param workItemType of issues only
     */
    public record Subject(
            ResourceId id,
            ResourceType type,
            String title,
            @Nullable String url,
            String state,
            @Nullable String workItemType) {}

    /**
     * The approval that an item of Hiroba's own asks for.
     *
     * @param workflowName null if an agent asks
     */
    public record Approval(
            long id,
            @Nullable String workflowName,
            @Nullable Instant deadline) {}

    InboxItem withApproval(@Nullable Approval other) {
        return new InboxItem(
                id,
                action,
                state,
                resource,
                namespace,
                other,
                author,
                read,
                saved,
                snoozedUntil,
                snoozedEvent,
                resolvedBy,
                createdAt,
                updatedAt);
    }

    /** The namespace of an item. */
    public record Namespace(NamespaceId id, String path) {}
}
