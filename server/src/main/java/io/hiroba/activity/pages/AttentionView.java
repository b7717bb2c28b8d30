package io.hiroba.activity.pages;

import io.hiroba.activity.settings.PostAttention;

/**
 * What the reader is told of a post, and the buttons that change it.
 *
 * @param back the page to come back to where no script swaps it
 */
public record AttentionView(String postId, boolean isMine, PostAttention attention, String back) {

    /** How things stand. */
    public String says() {
        if (attention.mutedWholly()) {
            return "This post is muted.";
        }
        if (!isMine) {
            return attention.followed() && !attention.mutedReplies()
                    ? "You are told of its replies."
                    : "You are not told of its replies.";
        }
        if (attention.mutedLikes()) {
            return "You are told of its replies, not of likes.";
        }
        return attention.mutedReplies()
                ? "You are told of its likes, not of replies."
                : "You are told of its likes and replies.";
    }

    public boolean mayMute() {
        return isMine || attention.followed() || attention.mutedWholly();
    }
}
