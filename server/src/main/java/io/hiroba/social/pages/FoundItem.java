package io.hiroba.social.pages;

import io.hiroba.platform.text.Passage.Piece;
import java.util.List;

/**
 * A post that was found.
 *
 * @param passage the part of its text that shows why
 */
public record FoundItem(PostItem post, List<Piece> passage) {

    public FoundItem {
        passage = List.copyOf(passage);
    }
}
