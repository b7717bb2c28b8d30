package io.hiroba.social;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** Rate limits of posts, likes, follows and direct messages, and how long these are kept. */
public record SocialConfig(
        @Default("100") @Doc("Posts an hour that a person may write or edit; 0 means any number. Admins are exempt.")
        int postsPerHour,

        @Default("100") @Doc("Likes an hour that a person may give; 0 means any number. Admins are exempt.")
        int likesPerHour,

        @Default("500") @Doc("People an hour that a person may begin to follow; 0 means any number. Admins are exempt.")
        int followsPerHour,

        @Default("300") @Doc("Direct messages an hour that a person may send; 0 means any number. Admins are exempt.")
        int messagesPerHour,

        @Default("0s")
        @Doc("How long direct messages are kept. 0 s keeps them until they, or their senders, are deleted.")
        Duration messageRetention) {

    public SocialConfig {
        if (postsPerHour < 0 || likesPerHour < 0 || followsPerHour < 0 || messagesPerHour < 0) {
            throw new IllegalArgumentException("limits must not be negative");
        }
        if (messageRetention.isNegative()
                || (messageRetention.isPositive() && messageRetention.compareTo(Duration.ofDays(1)) < 0)) {
            throw new IllegalArgumentException("message-retention must be 0 s, or at least 1 d");
        }
    }

    /** As many direct messages as posts, which are kept. */
    public SocialConfig(int postsPerHour, int likesPerHour, int followsPerHour) {
        this(postsPerHour, likesPerHour, followsPerHour, postsPerHour, Duration.ZERO);
    }
}
