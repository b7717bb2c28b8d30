package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.embedding.DeadLetter;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.ScriptLanguage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of the list of dead letters.
 *
 * @param path the URL that its actions are below
 * @param chunk the chunk on its source's page
 * @param lang the language tag of the excerpt, if its script tells it
 * @param retries the number of retries, in words
 * @param lastRetry how long ago the last one was
 */
public record DeadLetterItem(
        String id,
        String path,
        String code,
        Text reason,
        String title,
        String chunk,
        String excerpt,
        @Nullable String lang,
        String retries,
        String when,
        String exact,
        @Nullable String lastRetry) {

    private static final int MAX_EXCERPT_LENGTH = 400;

    static DeadLetterItem of(DeadLetter letter, Reader reader) {
        var origin = letter.origin();
        return new DeadLetterItem(
                letter.id().hex(),
                KnowledgePaths.DEAD_LETTERS + "/" + letter.id().hex(),
                letter.errorCode(),
                Fault.messageOf(letter.errorCode(), letter.errorMessage()),
                origin.sourceTitle(),
                KnowledgePaths.chunk(origin.source(), origin.chunk()),
                excerpt(origin.content()),
                ScriptLanguage.tag(origin.content()),
                reader.text("knowledge.dead-letters.retries", "count", letter.retries()),
                reader.ago(letter.createdAt()),
                reader.exact(letter.createdAt()),
                Optional.ofNullable(letter.lastRetryAt()).map(reader::ago).orElse(null));
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
