package io.hiroba.knowledge.sessions;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
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
            throw KnowledgeProblem.invalid("content", Text.of("knowledge.field.blank"));
        }
        if (content.codePointCount(0, content.length()) > MAX_LENGTH) {
            throw KnowledgeProblem.invalid("content", Text.of("knowledge.field.content-length", "max", MAX_LENGTH));
        }
        if (author != null && (author.isBlank() || author.codePointCount(0, author.length()) > MAX_AUTHOR_LENGTH)) {
            throw KnowledgeProblem.invalid("author", Text.of("knowledge.field.author", "max", MAX_AUTHOR_LENGTH));
        }
        if (sentAt != null && (sentAt.isBefore(Instant.EPOCH) || sentAt.isAfter(LATEST))) {
            throw KnowledgeProblem.invalid("sentAt", Text.of("knowledge.field.sent-at"));
        }
    }

    public static NewMessage of(MessageRole role, String content) {
        return new NewMessage(role, content, null, null, null);
    }
}
