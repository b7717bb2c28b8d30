package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A webhook delivery in the log.
 *
 * @param event its kind of event
 * @param key by which a repetition is recognised
 * @param outcome a message about its handling or the last failure
 */
public record WebhookDelivery(
        DeliveryId id,
        ConnectionId connection,
        String event,
        String key,
        DeliveryState state,
        int attempts,
        @Nullable Text outcome,
        Instant receivedAt,
        Instant nextAt,
        @Nullable Instant handledAt) {}
