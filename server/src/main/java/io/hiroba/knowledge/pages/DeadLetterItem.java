package io.hiroba.knowledge.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.knowledge.embedding.DeadLetter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of the list of dead letters.
 *
 * @param path the URL that its actions are below
 * @param chunk the chunk on its source's page
 * @param retries the number of retries, in words
 * @param lastRetry how long ago the last one was
 */
public record DeadLetterItem(
        String id,
        String path,
        String code,
        String reason,
        String title,
        String chunk,
        String excerpt,
        String retries,
        String when,
        String exact,
        @Nullable String lastRetry) {

    private static final int MAX_EXCERPT_LENGTH = 400;

    static DeadLetterItem of(DeadLetter letter, Reader when) {
        var origin = letter.origin();
        return new DeadLetterItem(
                letter.id().hex(),
                KnowledgePaths.DEAD_LETTERS + "/" + letter.id().hex(),
                letter.errorCode(),
                letter.errorMessage(),
                origin.sourceTitle(),
                KnowledgePaths.chunk(origin.source(), origin.chunk()),
                excerpt(origin.content()),
                switch (letter.retries()) {
                    case 0 -> "no retries";
                    case 1 -> "1 retry";
                    default -> "%d retries".formatted(letter.retries());
                },
                when.ago(letter.createdAt()),
                when.exact(letter.createdAt()),
                Optional.ofNullable(letter.lastRetryAt()).map(when::ago).orElse(null));
    }

    static String excerpt(String content) {
        var line = content.strip().replaceAll("\\s+", " ");
        if (line.length() <= MAX_EXCERPT_LENGTH) {
            return line;
        }
        boolean splitsPair = Character.isHighSurrogate(line.charAt(MAX_EXCERPT_LENGTH - 1));
        return line.substring(0, splitsPair ? MAX_EXCERPT_LENGTH - 1 : MAX_EXCERPT_LENGTH) + "…";
    }
}
