package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;

/** Sets the headers with which browsers load only content of this server, and cache nothing unless a route permits it. */
final class SecurityHeaders implements Handler {

    private static final String CONTENT_SECURITY_POLICY = String.join(
            "; ",
            "default-src 'self'",
            "img-src 'self' data: blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'");

    private final boolean secure;

    SecurityHeaders(HttpConfig config) {
        this.secure = config.isSecure();
    }

    @Override
    public void handle(Context ctx) {
        ctx.header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("Referrer-Policy", "same-origin");
        ctx.header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
        ctx.header("Cross-Origin-Opener-Policy", "same-origin");
        ctx.header("Cross-Origin-Resource-Policy", "same-origin");
        ctx.header("Cache-Control", "no-store");
        if (ctx.path().startsWith("/api/")) {
            // Nobody is to read it as a page; exports give it a name of their own.
            ctx.header("Content-Disposition", "attachment; filename=\"api.json\"");
        }
        if (secure) {
            ctx.header("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
