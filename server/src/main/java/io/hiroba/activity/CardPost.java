package io.hiroba.activity;

import io.hiroba.social.PostId;

/**
 * The post that a card is about.
 *
 * @param snippet the stored form of its beginning
 * @param mine whether the card's reader wrote it
 */
public record CardPost(PostId id, String snippet, boolean mine) {

    public String excerpt() {
        return Excerpt.of(snippet);
    }
}
