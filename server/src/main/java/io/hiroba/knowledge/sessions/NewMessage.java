package io.hiroba.knowledge.sessions;

import io.hiroba.knowledge.KnowledgeProblem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message to append.
 *
 * @param sentAt null for now
 */
public record NewMessage(
        MessageRole role,
        String content,
        @Nullable String author,
        @Nullable Long messageId,
        @Nullable Instant sentAt) {

    public static final int MAX_LENGTH = 100_000;
    private static final int MAX_AUTHOR_LENGTH = 200;
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    public NewMessage {
        if (content.isBlank()) {
            throw KnowledgeProblem.invalid("content", "must not be blank");
        }
        if (content.codePointCount(0, content.length()) > MAX_LENGTH) {
            throw KnowledgeProblem.invalid("content", "must not be longer than 100,000 characters");
        }
        if (author != null && (author.isBlank() || author.codePointCount(0, author.length()) > MAX_AUTHOR_LENGTH)) {
            throw KnowledgeProblem.invalid("author", "must be 1 to 200 characters");
        }
        if (sentAt != null && (sentAt.isBefore(Instant.EPOCH) || sentAt.isAfter(LATEST))) {
            throw KnowledgeProblem.invalid("sentAt", "must be a time between 1970 and 2200");
        }
    }

    public static NewMessage of(MessageRole role, String content) {
        return new NewMessage(role, content, null, null, null);
    }
}
