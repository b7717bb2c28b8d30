package io.hiroba.platform.http;

/** The paths that answer everybody alike and as often as they are asked: no caller is looked up for them. */
public final class OpenPaths {

    private OpenPaths() {}

    public static boolean include(String path) {
        return path.equals("/healthz")
                || path.equals("/readyz")
                || path.equals("/metrics")
                || path.startsWith("/assets/");
    }
}
