package io.hiroba.activity.pages;

import io.hiroba.activity.ActivityProblem;
import io.hiroba.activity.settings.PostAttention;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What of a post is muted by one press of a button. */
public enum MutePart {
    LIKES("likes of this post", true, false),
    REPLIES("replies to this post", false, true),
    ALL("this post", true, true);

    private final String ofThisPost;
    private final boolean likes;
    private final boolean replies;

    MutePart(String ofThisPost, boolean likes, boolean replies) {
        this.ofThisPost = ofThisPost;
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

    /** "Mute …". */
    public String ofThisPost() {
        return ofThisPost;
    }

    boolean likes() {
        return likes;
    }

    boolean replies() {
        return replies;
    }

    /** What muting this part changes. */
    Optional<MutePart> addedTo(PostAttention before) {
        boolean newLikes = likes && !before.mutedLikes();
        boolean newReplies = replies && !before.mutedReplies();
        return Arrays.stream(values())
                .filter(part -> part.likes == newLikes && part.replies == newReplies)
                .findAny();
    }
}
