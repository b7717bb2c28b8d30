package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.util.Optional;

/**
 * Tells who is calling, as a stable name that is safe to log. It is asked more than once a request, so it keeps its
 * answer in the context, and answers nobody for credentials that are missing or wrong instead of throwing.
 */
@FunctionalInterface
public interface Identity {

    Identity NOBODY = ctx -> Optional.empty();

    Optional<String> of(Context ctx);

    /** Whether the request brings credentials that must be looked up to tell whether they are right. */
    default boolean isClaimed(Context ctx) {
        return false;
    }
}
