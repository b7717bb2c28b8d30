package io.hiroba.inbox.gitlab;

import io.hiroba.platform.id.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The key by which a repeated delivery is recognised. GitLab sends the same {@code Idempotency-Key} with each repetition.
 * Older versions send only {@code X-Gitlab-Event-UUID}, which is shared by events with the same cause, so the key also
 * contains a hash of the body.
 */
final class DeliveryKey {

    /** The length of a hash, which replaces longer headers. */
    private static final int MAX_LENGTH = 64;

    private DeliveryKey() {}

    /** Empty if a repetition cannot be told from a new event with the same content. */
    static Optional<String> of(@Nullable String idempotencyKey, @Nullable String eventUuid, byte[] body) {
        if (isUsable(idempotencyKey)) {
            return Optional.of("key " + fitting(idempotencyKey));
        }
        return isUsable(eventUuid)
                ? Optional.of("event " + fitting(eventUuid) + " " + Sha256.hex(body))
                : Optional.empty();
    }

    private static boolean isUsable(@Nullable String header) {
        return header != null && !header.isBlank();
    }

    private static String fitting(@Nullable String header) {
        var text = String.valueOf(header);
        return text.length() <= MAX_LENGTH && text.indexOf('\0') < 0
                ? text
                : Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }
}
