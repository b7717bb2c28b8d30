package io.hiroba.platform.http;

/**
 * The paths that are answered as often as they are asked, and no caller is looked up for them: they answer everybody
 * alike, or, those of webhooks, have a secret of their own. Who sends webhooks sends many at once, from one address.
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
