package io.hiroba.accounts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An API token, named by its owner. */
public record ApiToken(
        TokenId id,
        UserId user,
        String name,
        TokenScope.Granted scopes,
        @Nullable Instant lastUsedAt,
        @Nullable Instant expiresAt) {

    public Instant createdAt() {
        return id.createdAt();
    }
}
