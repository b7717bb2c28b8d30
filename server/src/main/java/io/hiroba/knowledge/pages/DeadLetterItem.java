package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
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
 * @param owner the id of its owner, where there are those of several
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
        @Nullable String lastRetry,
        @Nullable String owner,
        @Nullable String ownerName) {

    private static final int MAX_EXCERPT_LENGTH = 400;

    static DeadLetterItem of(DeadLetter letter, Reader reader, String path) {
        return of(letter, reader, path, letter.origin().content(), null, null);
    }

    /** One of anybody's, for an admin, who is shown the text of their own alone. */
    static DeadLetterItem ofAnybody(DeadLetter letter, Reader reader, Caller admin, String ownerName) {
        var owner = letter.origin().owner();
        var content = owner.equals(admin.user()) ? letter.origin().content() : "";
        return of(
                letter,
                reader,
                KnowledgePaths.ALL_DEAD_LETTERS,
                content,
                owner.value() == 0 ? null : owner.hex(),
                ownerName);
    }

    private static DeadLetterItem of(
            DeadLetter letter,
            Reader reader,
            String path,
            String content,
            @Nullable String owner,
            @Nullable String ownerName) {
        var origin = letter.origin();
        return new DeadLetterItem(
                letter.id().hex(),
                path + "/" + letter.id().hex(),
                letter.errorCode(),
                Fault.messageOf(letter.errorCode(), letter.errorMessage()),
                origin.sourceTitle(),
                KnowledgePaths.chunk(origin.source(), origin.chunk()),
                excerpt(content),
                ScriptLanguage.tag(content),
                reader.text("knowledge.dead-letters.retries", "count", letter.retries()),
                reader.ago(letter.createdAt()),
                reader.exact(letter.createdAt()),
                Optional.ofNullable(letter.lastRetryAt()).map(reader::ago).orElse(null),
                owner,
                ownerName);
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
