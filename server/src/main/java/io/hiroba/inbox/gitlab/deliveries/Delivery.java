package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.inbox.resources.ConnectionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A webhook's call, as the log shows it.
 *
 * @param event what kind of event it says to be
 * @param key by what a repetition of it is known
 * @param outcome what became of it, or what went wrong last
 */
public record Delivery(
        DeliveryId id,
        ConnectionId connection,
        String event,
        String key,
        DeliveryState state,
        int attempts,
        @Nullable String outcome,
        Instant receivedAt,
        Instant nextAt,
        @Nullable Instant handledAt) {}
