package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.util.Optional;

/**
 * Identifies the caller of a request by a stable name that is safe to log. It is called more than once a request, so it
 * caches its result in the context; for missing or wrong credentials it returns nothing instead of throwing.
 */
@FunctionalInterface
public interface Identity {

    Identity NOBODY = ctx -> Optional.empty();

    Optional<String> of(Context ctx);

    /** Whether the request has credentials that must be looked up to be verified. */
    default boolean isClaimed(Context ctx) {
        return false;
    }
}
