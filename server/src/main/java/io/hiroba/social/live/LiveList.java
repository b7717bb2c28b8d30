package io.hiroba.social.live;

import io.hiroba.platform.http.HttpProblem;

/** A list that readers can be told of. */
public enum LiveList {
    HOME,
    NEWEST;

    static LiveList parse(String name) {
        return switch (name) {
            case "home" -> HOME;
            case "newest" -> NEWEST;
            default -> throw HttpProblem.invalid("posts", "must be home or newest");
        };
    }
}
