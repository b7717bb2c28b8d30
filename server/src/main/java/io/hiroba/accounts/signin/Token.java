package io.hiroba.accounts.signin;

import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A program's way in, named by its owner. */
public record Token(
        TokenId id,
        UserId user,
        String name,
        @Nullable Instant lastUsedAt,
        @Nullable Instant expiresAt) {

    public Instant createdAt() {
        return id.createdAt();
    }
}
