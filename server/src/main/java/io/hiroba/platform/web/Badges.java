package io.hiroba.platform.web;

import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells what waits for the reader of a page, by the path of the place in the navigation where it does. */
@FunctionalInterface
public interface Badges {

    Badges NONE = ctx -> Map.of();

    Map<String, Badge> of(Context ctx);

    /** What all of these tell. */
    static Badges all(List<Badges> several) {
        return ctx -> {
            var all = new HashMap<String, Badge>();
            several.forEach(badges -> all.putAll(badges.of(ctx)));
            return all;
        };
    }
}
