package io.hiroba.platform.http;

/**
 * The paths without authentication and rate limit: they answer everybody alike or, like webhooks, which come in bursts from
 * one address, have a secret of their own.
 */
public final class OpenPaths {

    private OpenPaths() {}

    public static boolean include(String path) {
        return path.equals("/healthz")
                || path.equals("/readyz")
                || path.equals("/metrics")
                || path.startsWith("/assets/")
                || path.startsWith("/hooks/");
    }
}
