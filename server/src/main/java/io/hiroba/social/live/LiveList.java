package io.hiroba.social.live;

import io.hiroba.platform.http.HttpProblem;
import org.jspecify.annotations.Nullable;

/** A list that readers can be told of. */
public enum LiveList {
    HOME,
    NEWEST;

    static LiveList parse(@Nullable String name) {
        return switch (name) {
            case "home" -> HOME;
            case "newest" -> NEWEST;
            case null, default -> throw HttpProblem.invalid("list", "must be home or newest");
        };
    }
}
