package io.hiroba.saga.call;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A service that steps may call.
 *
 * @param endpoint null for a local service
 * @param updatedBy null where it was not registered
 */
public record Service(
        String name,
        Origin origin,
        @Nullable Endpoint endpoint,
        @Nullable String updatedBy,
        @Nullable Instant updatedAt) {

    /** The origin of a service. */
    public enum Origin {
        LOCAL,
        REGISTERED,
        CONFIGURED
    }
}
