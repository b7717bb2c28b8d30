package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.knowledge.sources.Source;
import org.jspecify.annotations.Nullable;

/**
 * A source in the list.
 *
 * @param isMine whether the reader may change it
 * @param counted how many passages it has, in words
 * @param reason why it is not all there
 */
public record SourceItem(
        String id,
        String path,
        Kind kind,
        String title,
        boolean isPublic,
        boolean isMine,
        String owner,
        String ownerName,
        String when,
        String exact,
        Standing standing,
        int chunks,
        int embedded,
        String counted,
        @Nullable String reason) {

    static SourceItem of(Source source, String ownerName, Caller caller, ReaderClock when) {
        var progress = source.progress();
        var standing = Standing.of(progress.status());
        var added = source.id().createdAt();
        return new SourceItem(
                source.id().hex(),
                Paths.source(source.id()),
                Kind.of(source.type()),
                source.title(),
                source.isPublic(),
                caller.mayChange(source.owner()),
                source.owner().hex(),
                ownerName,
                when.ago(added),
                when.exact(added),
                standing,
                progress.chunks(),
                progress.embedded(),
                counted(progress),
                progress.dead() == 0 || !caller.mayChange(source.owner()) ? null : progress.errorMessage());
    }

    private static String counted(Source.Progress progress) {
        var all = progress.chunks() == 1 ? "1 passage" : "%,d passages".formatted(progress.chunks());
        return progress.embedded() == progress.chunks() ? all : "%,d of %s".formatted(progress.embedded(), all);
    }
}
