package io.hiroba.social;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

/** How much people may post and like. */
public record SocialConfig(
        @Default("100") @Doc("Posts an hour that a person may write; 0 means any number. Admins are not held to it.")
        int postsPerHour,

        @Default("100") @Doc("Likes an hour that a person may give; 0 means any number. Admins are not held to it.")
        int likesPerHour) {

    public static final SocialConfig DEFAULT = new SocialConfig(100, 100);

    public SocialConfig {
        if (postsPerHour < 0 || likesPerHour < 0) {
            throw new IllegalArgumentException("limits must not be negative");
        }
    }
}
