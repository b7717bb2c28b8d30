package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.time.Duration;

/** The header that says when to come back, in whole seconds. */
final class RetryAfter {

    private RetryAfter() {}

    /** Rounded up and at least one, so that a caller who obeys is not refused again. */
    static long seconds(Duration wait) {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }

    static void set(Context ctx, Duration wait) {
        ctx.header("Retry-After", Long.toString(seconds(wait)));
    }
}
