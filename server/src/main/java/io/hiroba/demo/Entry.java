package io.hiroba.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post of the script.
 *
 * @param name by which later lines of the script and the database know it
 * @param replyTo the name of the post it answers
 * @param likes how many like it; negative leaves that to chance
 * @param correction what its author made of it later
 */
record Entry(
        String name,
        String author,
        Instant at,
        @Nullable String replyTo,
        List<String> tags,
        String content,
        int likes,
        boolean allowReplies,
        @Nullable Correction correction) {

    /** A text that replaces that of the post some time later. */
    record Correction(Duration after, String content) {}

    Entry {
        tags = List.copyOf(tags);
    }

    Entry corrected(Correction by) {
        return new Entry(name, author, at, replyTo, tags, content, likes, allowReplies, by);
    }
}
