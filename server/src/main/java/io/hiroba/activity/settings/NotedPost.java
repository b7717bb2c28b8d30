package io.hiroba.activity.settings;

import io.hiroba.activity.Excerpt;
import io.hiroba.social.Author;
import io.hiroba.social.PostId;

/**
 * A post as the lists of muted and followed posts show it.
 *
 * @param snippet the stored form of its beginning
 */
public record NotedPost(PostId id, Author ownedBy, String snippet) {

    public String excerpt() {
        return Excerpt.of(snippet);
    }
}
