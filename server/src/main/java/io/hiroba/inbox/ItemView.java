package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An item in responses. */
record ItemView(
        String id,
        String action,
        String resourceType,
        ResourceView resource,
        NamespaceView namespace,
        @Nullable ApprovalView approval,
        @Nullable AuthorView author,
        boolean read,
        boolean saved,
        @Nullable Instant snoozedUntil,
        @Nullable String snoozedEvent,
        @Nullable String resolvedByAction,
        String state,
        Instant createdAt,
        Instant updatedAt) {

    record ResourceView(
            String id,
            String title,
            @Nullable String url,
            String state,
            @Nullable String workItemType) {}

    record ApprovalView(
            String id,
            @Nullable String workflowName,
            @Nullable Instant deadline) {

        static ApprovalView of(InboxItem.Approval approval) {
            return new ApprovalView(Ids.hex(approval.id()), approval.workflowName(), approval.deadline());
        }
    }

    record NamespaceView(String id, String path) {}

    /** The author of an item in responses. */
    record AuthorView(
            @Nullable String id,
            String name,
            @Nullable String username,
            @Nullable String avatarUrl) {

        static AuthorView of(InboxItem.Author author) {
            return new AuthorView(
                    Optional.ofNullable(author.user()).map(UserId::hex).orElse(null),
                    author.name(),
                    author.username(),
                    author.avatarUrl());
        }
    }

    static ItemView of(InboxItem item) {
        var about = item.resource();
        return new ItemView(
                item.id().hex(),
                item.action().text(),
                about.type().text(),
                new ResourceView(about.id().hex(), about.title(), about.url(), about.state(), about.workItemType()),
                new NamespaceView(item.namespace().id().hex(), item.namespace().path()),
                Optional.ofNullable(item.approval()).map(ApprovalView::of).orElse(null),
                Optional.ofNullable(item.author()).map(AuthorView::of).orElse(null),
                item.read(),
                item.saved(),
                item.snoozedUntil(),
                Optional.ofNullable(item.snoozedEvent()).map(SnoozeEvent::text).orElse(null),
                item.resolvedBy() == null ? null : item.resolvedBy().text(),
                item.state().name().toLowerCase(Locale.ROOT),
                item.createdAt(),
                item.updatedAt());
    }
}
