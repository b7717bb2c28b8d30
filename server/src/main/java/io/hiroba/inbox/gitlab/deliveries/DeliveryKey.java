package io.hiroba.inbox.gitlab.deliveries;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * By what a call is known to be a repetition. GitLab sends the same {@code Idempotency-Key} with each repetition. Older
 * ones send only {@code X-Gitlab-Event-UUID}, which calls that bring one another about share: there the body tells them
 * apart.
 */
final class DeliveryKey {

    /** As long as a hash, which stands for what is longer. */
    private static final int LONGEST = 64;

    private DeliveryKey() {}

    /** None, if nothing tells a repetition from something new that looks alike. */
    static Optional<String> of(@Nullable String idempotencyKey, @Nullable String eventUuid, byte[] body) {
        if (isUsable(idempotencyKey)) {
            return Optional.of("key " + fitting(idempotencyKey));
        }
        return isUsable(eventUuid) ? Optional.of("event " + fitting(eventUuid) + " " + hash(body)) : Optional.empty();
    }

    private static boolean isUsable(@Nullable String header) {
        return header != null && !header.isBlank();
    }

    private static String fitting(@Nullable String header) {
        var text = String.valueOf(header);
        return text.length() <= LONGEST && text.indexOf('\0') < 0 ? text : hash(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
