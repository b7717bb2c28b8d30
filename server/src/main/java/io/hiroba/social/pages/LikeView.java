package io.hiroba.social.pages;

import io.hiroba.social.PostCard;

/**
 * The heart below a post.
 *
 * @param allowed whether the post takes likes
 * @param back the page to come back to where no script swaps the heart
 */
public record LikeView(String postId, int count, boolean liked, boolean allowed, String back) {

    static LikeView of(PostCard card, String back) {
        return new LikeView(card.id().hex(), card.countLikes(), card.likedByMe(), card.allowLikes(), back);
    }
}
