package io.hiroba.social.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post in its conversation.
 *
 * @param above what it replies to, the farthest first
 * @param more the address of the next replies, if there are more
 */
public record ThreadView(
        List<PostItem> above,
        PostItem post,
        List<Branch> replies,
        @Nullable String more) {

    public ThreadView {
        above = List.copyOf(above);
        replies = List.copyOf(replies);
    }
}
