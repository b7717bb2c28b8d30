package io.hiroba.activity;

/**
 * A reader's mutes and follow of one post.
 *
 * @param followed whether they are notified of its replies though it is not theirs
 */
public record PostPreferences(boolean mutedLikes, boolean mutedReplies, boolean followed) {

    /** Whether all notifications of it are muted, mentions too. */
    public boolean muted() {
        return mutedLikes && mutedReplies;
    }
}
