package io.hiroba.knowledge.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.knowledge.embedding.DeadLetter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A passage that got no vector.
 *
 * @param path where its forms are sent
 * @param passage where it stands in its source, if that is still there
 * @param retries how often it was tried again, in words
 * @param lastRetry how long ago that was
 */
public record DeadLetterItem(
        String id,
        String path,
        String code,
        String reason,
        String title,
        String passage,
        String excerpt,
        String retries,
        String when,
        String exact,
        @Nullable String lastRetry) {

    static DeadLetterItem of(DeadLetter letter, ReaderClock when) {
        var origin = letter.origin();
        return new DeadLetterItem(
                letter.id().hex(),
                Paths.DEAD_LETTERS + "/" + letter.id().hex(),
                letter.errorCode(),
                letter.errorMessage(),
                origin.sourceTitle(),
                Paths.passage(origin.source(), origin.chunk()),
                Excerpt.of(origin.content()),
                switch (letter.retries()) {
                    case 0 -> "not tried again";
                    case 1 -> "tried again once";
                    default -> "tried again %d times".formatted(letter.retries());
                },
                when.ago(letter.createdAt()),
                when.exact(letter.createdAt()),
                Optional.ofNullable(letter.lastRetryAt()).map(when::ago).orElse(null));
    }
}
