package io.hiroba.knowledge.sessions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session.
 *
 * @param index its place in the session, from 0 on without gaps
 * @param messageId its id outside
 */
public record ChatMessage(
        int index,
        MessageRole role,
        String content,
        @Nullable String author,
        @Nullable Long messageId,
        Instant sentAt) {

    /** The id of the message on its session's page, which links into it end with. */
    public String anchor() {
        return "m" + index;
    }

    /** The author, or the role where the author is unknown. */
    public String speaker() {
        return author == null ? role.text() : author;
    }
}
