package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A webhook delivery in the log.
 *
 * @param event what kind of event it says to be
 * @param key by what a repetition of it is known
 * @param outcome what became of it, or what went wrong last
 */
public record WebhookDelivery(
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
