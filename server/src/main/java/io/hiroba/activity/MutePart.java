package io.hiroba.activity;

import io.hiroba.platform.i18n.Text;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The part of a post's notifications that a button mutes. */
public enum MutePart {
    LIKES(true, false),
    REPLIES(false, true),
    ALL(true, true);

    private final boolean likes;
    private final boolean replies;

    MutePart(boolean likes, boolean replies) {
        this.likes = likes;
        this.replies = replies;
    }

    static MutePart parse(@Nullable String text) {
        return Arrays.stream(values())
                .filter(part -> part.text().equals(text))
                .findAny()
                .orElseThrow(() -> ActivityProblem.invalid("what", Text.of("activity.field.part")));
    }

    /** As forms carry it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The button that mutes it. */
    Text muteLabel() {
        return Text.of("activity.mute-option." + text());
    }

    Text mutedNotice() {
        return Text.of("activity.muted." + text());
    }

    Text unmutedNotice() {
        return Text.of("activity.unmuted." + text());
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
