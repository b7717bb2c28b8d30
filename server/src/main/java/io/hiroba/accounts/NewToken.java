package io.hiroba.accounts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A token to create: its name, and when it expires, if it does. */
public record NewToken(String name, @Nullable Instant expiresAt) {

    private static final int MAX_NAME = 100;
    private static final Instant MAX_EXPIRY = Instant.parse("9999-12-31T23:59:59Z");

    public NewToken {
        name = name.strip();
        int length = name.codePointCount(0, name.length());
        if (length < 1 || length > MAX_NAME || name.codePoints().anyMatch(Character::isISOControl)) {
            throw AccountsProblem.invalid("name", "must be one line of 1 to " + MAX_NAME + " characters");
        }
        if (expiresAt != null && expiresAt.isAfter(MAX_EXPIRY)) {
            throw AccountsProblem.invalid("expiresAt", "is too far away");
        }
    }
}
