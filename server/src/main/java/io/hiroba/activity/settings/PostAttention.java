package io.hiroba.activity.settings;

/**
 * What somebody wants to be told of one post.
 *
 * @param followed whether they are told of its replies though it is not theirs
 */
public record PostAttention(boolean mutedLikes, boolean mutedReplies, boolean followed) {

    /** Whether nothing of it is told, mentions neither. */
    public boolean mutedWholly() {
        return mutedLikes && mutedReplies;
    }
}
