package io.hiroba.platform.web;

import io.javalin.http.Context;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A path on this server that a redirect may lead to; any other target would be an open redirect. */
public final class LocalPath {

    // One slash and then neither a second one nor a backslash, which browsers take for one; no control characters.
    private static final Pattern LOCAL = Pattern.compile("/(?![/\\\\])[\\x21-\\x7E&&[^\\\\]]{0,1999}");

    private LocalPath() {}

    /** The address that a request asks for. */
    public static String of(Context ctx) {
        var query = ctx.queryString();
        return query == null ? ctx.path() : ctx.path() + "?" + query;
    }

    public static boolean isLocal(@Nullable String path) {
        return path != null && LOCAL.matcher(path).matches();
    }

    public static String orElse(@Nullable String path, String otherwise) {
        return path != null && isLocal(path) ? path : otherwise;
    }
}
