package io.hiroba.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post of the script.
 *
 * @param name its name in the script and in the table of created rows
 * @param replyTo the name of the post it answers
 * @param likes how many like it; negative leaves that to chance
 * @param correction a later edit by its author
 */
record DemoPost(
        String name,
        String author,
        Instant at,
        @Nullable String replyTo,
        List<String> tags,
        String content,
        int likes,
        boolean allowReplies,
        @Nullable Correction correction) {

    /** An edit of the post some time later. */
    record Correction(Duration after, String content) {}

    DemoPost {
        tags = List.copyOf(tags);
    }

    DemoPost corrected(Correction by) {
        return new DemoPost(name, author, at, replyTo, tags, content, likes, allowReplies, by);
    }
}
