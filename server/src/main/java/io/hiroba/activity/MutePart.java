package io.hiroba.activity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The part of a post's notifications that a button mutes. */
public enum MutePart {
    LIKES("likes of this post", true, false),
    REPLIES("replies to this post", false, true),
    ALL("this post", true, true);

    private final String label;
    private final boolean likes;
    private final boolean replies;

    MutePart(String label, boolean likes, boolean replies) {
        this.label = label;
        this.likes = likes;
        this.replies = replies;
    }

    static MutePart parse(@Nullable String text) {
        return Arrays.stream(values())
                .filter(part -> part.text().equals(text))
                .findAny()
                .orElseThrow(() -> ActivityProblem.invalid("what", "must be likes, replies or all"));
    }

    /** As forms carry it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Stands after "Mute". */
    String label() {
        return label;
    }

    boolean likes() {
        return likes;
    }

    boolean replies() {
        return replies;
    }

    /** What muting this part changes. */
    Optional<MutePart> addedTo(PostPreferences before) {
        boolean newLikes = likes && !before.mutedLikes();
        boolean newReplies = replies && !before.mutedReplies();
        return Arrays.stream(values())
                .filter(part -> part.likes == newLikes && part.replies == newReplies)
                .findAny();
    }
}
