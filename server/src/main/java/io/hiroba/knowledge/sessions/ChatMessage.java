package io.hiroba.knowledge.sessions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session.
 *
 * @param index its position in the session, from 0 without gaps
 * @param messageId its id in the chat system
 */
public record ChatMessage(
        int index,
        MessageRole role,
        String content,
        @Nullable String author,
        @Nullable Long messageId,
        Instant sentAt) {

    /** The anchor of the message on the session's page. */
    public String anchor() {
        return "m" + index;
    }

    /** The author, or the role where the author is unknown. */
    public String speaker() {
        return author == null ? role.text() : author;
    }
}
