package io.hiroba.social.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of posts.
 *
 * @param more the address of the next page, if there is one
 */
public record PostsView(List<PostItem> items, @Nullable String more) {

    static final PostsView NONE = new PostsView(List.of(), null);

    public PostsView {
        items = List.copyOf(items);
    }

    /** The id of the newest post, after which live updates begin; empty if there is none. */
    public String newest() {
        return items.isEmpty() ? "" : items.getFirst().id();
    }
}
