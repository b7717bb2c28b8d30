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
 * Refuses changes that another site's page makes a browser ask for. Browsers say where a request began, in
 * {@code Sec-Fetch-Site} or at least in {@code Origin}; what says neither is not a browser. A bearer token is no
 * cookie: another site cannot make a browser send one. Nor can it know an address that itself says what may be done.
 */
final class CrossSite implements Handler {

    private static final Set<HandlerType> SAFE =
            Set.of(HandlerType.GET, HandlerType.HEAD, HandlerType.OPTIONS, HandlerType.TRACE);

    private final String publicUrl;
    private final List<String> anySite;

    /** @param anySite the beginnings of paths that no cookie has a say in */
    CrossSite(HttpConfig config, List<String> anySite) {
        this.publicUrl = config.publicUrl().toLowerCase(Locale.ROOT);
        this.anySite = List.copyOf(anySite);
    }

    @Override
    public void handle(Context ctx) {
        if (!SAFE.contains(ctx.method()) && !isBearer(ctx) && !isOurs(ctx) && !isForAnySite(ctx.path())) {
            throw HttpProblem.crossSite();
        }
    }

    private boolean isForAnySite(String path) {
        return anySite.stream().anyMatch(path::startsWith);
    }

    private static boolean isBearer(Context ctx) {
        var authorization = ctx.header("Authorization");
        return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7);
    }

    private boolean isOurs(Context ctx) {
        var site = ctx.header("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") || site.equals("none");
        }
        var origin = ctx.header("Origin");
        return origin == null
                || origin.toLowerCase(Locale.ROOT).equals(publicUrl)
                || isOwnHost(origin, ctx.header("Host"));
    }

    private static boolean isOwnHost(String origin, @Nullable String host) {
        try {
            var authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
