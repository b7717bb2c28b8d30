package io.hiroba.accounts.signin;

import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A browser that is signed in.
 *
 * @param admin the admin who acts as {@code user}, if one does
 * @param agent what the browser calls itself
 */
public record Session(
        SessionId id,
        UserId user,
        @Nullable UserId admin,
        String address,
        String agent,
        Instant lastUsedAt,
        Instant expiresAt) {

    public Instant createdAt() {
        return id.createdAt();
    }
}
