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

    /** The name under which its requests are counted: what somebody's programs ask does not keep them from their pages. */
    default Optional<String> client(Context ctx) {
        return of(ctx);
    }

    /** Whether the request has credentials that must be looked up to be verified. */
    default boolean isClaimed(Context ctx) {
        return false;
    }
}
