package io.hiroba.accounts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session of a browser.
 *
 * @param admin the admin who acts as {@code user}, if one does
 * @param agent the User-Agent
 */
public record UserSession(
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
