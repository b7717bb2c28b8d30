package io.hiroba.social.search;

import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.social.PostCard;
import java.util.List;

/**
 * A post that was found.
 *
 * @param highlight the part of its text that shows why
 */
public record FoundPost(PostCard card, List<Piece> highlight) {

    public FoundPost {
        highlight = List.copyOf(highlight);
    }
}
