package io.hiroba.platform.web;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A place on this server that a reader may be sent on to; anything else would let a link lead people astray. */
public final class LocalPath {

    // One slash and then neither a second one nor a backslash, which browsers take for one; no control characters.
    private static final Pattern LOCAL = Pattern.compile("/(?![/\\\\])[\\x21-\\x7E&&[^\\\\]]{0,1999}");

    private LocalPath() {}

    public static boolean isLocal(@Nullable String path) {
        return path != null && LOCAL.matcher(path).matches();
    }

    public static String orElse(@Nullable String path, String otherwise) {
        return path != null && isLocal(path) ? path : otherwise;
    }
}
