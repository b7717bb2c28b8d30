package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses cross-site requests that change something (CSRF). Browsers send the origin of a request in {@code Sec-Fetch-Site}
 * or at least in {@code Origin}; a client that sends neither is no browser. Requests with a bearer token pass, since other
 * sites cannot make a browser send one; so do paths that contain a secret themselves.
 */
final class CrossSite implements Handler {

    private static final Set<HandlerType> SAFE =
            Set.of(HandlerType.GET, HandlerType.HEAD, HandlerType.OPTIONS, HandlerType.TRACE);

    private final String publicUrl;
    private final List<String> allowedPaths;

    /** @param allowedPaths prefixes of paths that do not depend on cookies */
    CrossSite(HttpConfig config, List<String> allowedPaths) {
        this.publicUrl = config.publicUrl().toLowerCase(Locale.ROOT);
        this.allowedPaths = List.copyOf(allowedPaths);
    }

    @Override
    public void handle(Context ctx) {
        if (!SAFE.contains(ctx.method()) && !isBearer(ctx) && !isSameOrigin(ctx) && !isAllowedPath(ctx.path())) {
            throw HttpProblem.crossSite();
        }
    }

    private boolean isAllowedPath(String path) {
        return allowedPaths.stream().anyMatch(path::startsWith);
    }

    private static boolean isBearer(Context ctx) {
        var authorization = ctx.header("Authorization");
        return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7);
    }

    private boolean isSameOrigin(Context ctx) {
        var site = ctx.header("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") || site.equals("none");
        }
        var origin = ctx.header("Origin");
        return origin == null
                || origin.toLowerCase(Locale.ROOT).equals(publicUrl)
                || isSameHost(origin, ctx.header("Host"));
    }

    private static boolean isSameHost(String origin, @Nullable String host) {
        try {
            var authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
