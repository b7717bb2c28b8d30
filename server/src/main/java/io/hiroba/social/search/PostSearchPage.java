package io.hiroba.social.search;

import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.social.PostCard;
import java.util.List;
import java.util.Optional;

/**
 * A page of search results, best first.
 *
 * @param next where to go on; none at the end
 * @param allRanked whether all matches were ranked against one another, and not only the newest
 */
public record PostSearchPage(List<FoundPost> posts, Optional<PostSearchPosition> next, boolean allRanked) {

    public PostSearchPage {
        posts = List.copyOf(posts);
    }

    /**
     * A search result.
     *
     * @param highlight the part of its text that matches
     */
    public record FoundPost(PostCard card, List<Piece> highlight) {

        public FoundPost {
            highlight = List.copyOf(highlight);
        }
    }
}
