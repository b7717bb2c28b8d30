package io.hiroba.social;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

/** Rate limits of posts, likes and follows. */
public record SocialConfig(
        @Default("100") @Doc("Posts an hour that a person may write or edit; 0 means any number. Admins are exempt.")
        int postsPerHour,

        @Default("100") @Doc("Likes an hour that a person may give; 0 means any number. Admins are exempt.")
        int likesPerHour,

        @Default("500") @Doc("People an hour that a person may begin to follow; 0 means any number. Admins are exempt.")
        int followsPerHour) {

    public SocialConfig {
        if (postsPerHour < 0 || likesPerHour < 0 || followsPerHour < 0) {
            throw new IllegalArgumentException("limits must not be negative");
        }
    }
}
