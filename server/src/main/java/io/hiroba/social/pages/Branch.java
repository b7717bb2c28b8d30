package io.hiroba.social.pages;

import java.util.List;

/**
 * A reply with the replies to it.
 *
 * @param hasMore whether there are more replies than are shown here
 */
public record Branch(PostItem post, List<Branch> replies, boolean hasMore) {

    public Branch {
        replies = List.copyOf(replies);
    }
}
