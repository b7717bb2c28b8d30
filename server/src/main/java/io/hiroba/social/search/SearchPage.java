package io.hiroba.social.search;

import java.util.List;
import java.util.Optional;

/**
 * Some of the posts that were found, best first.
 *
 * @param next where to go on; none at the end
 * @param allRanked whether all matches were ranked against one another, and not only the newest
 */
public record SearchPage(List<FoundPost> posts, Optional<SearchPosition> next, boolean allRanked) {

    public SearchPage {
        posts = List.copyOf(posts);
    }
}
