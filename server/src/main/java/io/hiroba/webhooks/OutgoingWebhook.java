package io.hiroba.webhooks;

import io.hiroba.accounts.UserId;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An address of another program that is told of events in the name of its owner.
 *
 * @param asAdmin whether it was made with the rights of an admin
 * @param startsAfter the last event of the log before it was made
 * @param disabledBy null while it is enabled
 * @param pausedAt when an admin has paused it, whether it is enabled or not; null if none has
 * @param failingSince the first failure since the last success; null if there is none
 * @param replaying whether earlier events are being delivered again
 */
record OutgoingWebhook(
        long id,
        UserId owner,
        String url,
        EventFilter events,
        String description,
        boolean asAdmin,
        long startsAfter,
        Instant createdAt,
        @Nullable DisabledBy disabledBy,
        @Nullable Instant disabledAt,
        @Nullable Instant pausedAt,
        @Nullable Instant failingSince,
        @Nullable Instant lastSuccessAt,
        boolean replaying) {

    /** The reasons why a webhook is disabled. */
    enum DisabledBy {
        OWNER,
        /** The receiver answered 410. */
        GONE,
        FAILING;

        /** The name in the database and in JSON. */
        String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    boolean isEnabled() {
        return disabledBy == null;
    }

    boolean isPaused() {
        return pausedAt != null;
    }

    /** Whether it is told of events. */
    boolean isActive() {
        return isEnabled() && !isPaused();
    }
}
