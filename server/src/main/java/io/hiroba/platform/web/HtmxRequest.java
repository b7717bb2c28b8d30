package io.hiroba.platform.web;

import io.javalin.http.Context;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** A request of htmx for a fragment of a page, which it swaps in. */
public final class HtmxRequest {

    private HtmxRequest() {}

    /** Whether the request is for a fragment rather than for a whole page. */
    public static boolean isFragment(Context ctx) {
        return ctx.header("HX-Request") != null && ctx.header("HX-Boosted") == null;
    }

    /** The address of the page that the fragment is for. */
    static String page(Context ctx) {
        return LocalPath.orElse(path(ctx.header("HX-Current-URL")), "/");
    }

    private static @Nullable String path(@Nullable String url) {
        if (url == null) {
            return null;
        }
        try {
            var address = new URI(url);
            var query = address.getRawQuery();
            return query == null ? address.getRawPath() : address.getRawPath() + "?" + query;
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
