package io.hiroba.saga.call;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A service that steps may call.
 *
 * @param endpoint null where this program carries out its steps itself
 * @param updatedBy who registered it; null where nobody did
 */
public record Service(
        String name,
        Origin origin,
        @Nullable Endpoint endpoint,
        @Nullable String updatedBy,
        @Nullable Instant updatedAt) {

    /** Where a service comes from. */
    public enum Origin {
        LOCAL,
        REGISTERED,
        CONFIGURED
    }
}
