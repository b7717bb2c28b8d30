package io.hiroba.webhooks;

import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of an event to a webhook, with its last attempt.
 *
 * @param queue what it waits in: its key, or itself
 * @param request the body that was sent
 * @param response the beginning of the answer's body
 */
record OutgoingDelivery(
        long id,
        long webhook,
        long event,
        String type,
        String key,
        String queue,
        Status status,
        int attempts,
        Instant createdAt,
        @Nullable Instant attemptedAt,
        @Nullable Integer httpStatus,
        @Nullable Integer tookMillis,
        @Nullable String request,
        @Nullable String response,
        @Nullable Failure error) {

    /** The type of a delivery that only shows whether the receiver answers. */
    static final String PING = "ping";

    /** The states of a delivery. */
    enum Status {
        PENDING,
        DELIVERED,
        FAILED,
        SKIPPED;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        Text label() {
            return Text.of("webhooks.status." + code());
        }
    }

    /** The reasons why an attempt failed, or why there was none. */
    enum Failure {
        /** The answer was no success. */
        STATUS,
        TIMEOUT,
        NO_HOST,
        PRIVATE_ADDRESS,
        CERTIFICATE,
        CONNECTION,
        /** The owner may not read the event any more. */
        NOT_READABLE,
        /** The event is not kept any more. */
        EVENT_GONE,
        DISABLED;

        String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        Text label() {
            return Text.of("webhooks.failure." + code());
        }

        static Failure of(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }
}
