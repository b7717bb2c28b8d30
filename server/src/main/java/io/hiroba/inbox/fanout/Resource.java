package io.hiroba.inbox.fanout;

import io.hiroba.inbox.ResourceType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mirrored resource, which items can be about.
 *
 * @param root the target of a comment; the resource itself otherwise
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
