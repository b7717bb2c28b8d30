package io.hiroba.inbox.keys;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.ResourceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Somebody's SSH key. */
public record SshKey(
        ResourceId id,
        UserId owner,
        String title,
        String publicKey,
        String fingerprint,
        @Nullable Instant expiresAt,
        Instant createdAt) {}
