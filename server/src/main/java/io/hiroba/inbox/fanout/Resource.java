package io.hiroba.inbox.fanout;

import io.hiroba.inbox.ResourceType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mirrored resource, which items can be about.
 *
 * @param root what is acted on when this is: for a comment, what it is a comment on; otherwise itself
 * @param changedAt by the clock of its source
 */
public record Resource(
        ResourceId id,
        ResourceType type,
        ConnectionId connection,
        NamespaceId namespace,
        String externalId,
        String title,
        @Nullable String url,
        String state,
        Instant changedAt,
        ResourceId root) {}
