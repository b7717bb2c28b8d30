package io.hiroba.platform.web;

import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts what is open for the reader of a page, by the path of the navigation entry that shows it. */
@FunctionalInterface
public interface Badges {

    Badges NONE = ctx -> Map.of();

    Map<String, Badge> of(Context ctx);

    /** The badges of all of these. */
    static Badges all(List<Badges> several) {
        return ctx -> {
            var all = new HashMap<String, Badge>();
            several.forEach(badges -> all.putAll(badges.of(ctx)));
            return all;
        };
    }
}
