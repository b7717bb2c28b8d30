package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ResourceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An SSH key of a user. */
public record SshKey(
        ResourceId id,
        UserId owner,
        String title,
        String publicKey,
        String fingerprint,
        @Nullable Instant expiresAt,
        Instant createdAt) {}
