package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.KnowledgeSource.Status;
import io.hiroba.knowledge.SourceType;
import org.jspecify.annotations.Nullable;

/**
 * A row of the list of sources.
 *
 * @param isMine whether the reader may edit it
 * @param counted the number of chunks, in words
 * @param reason why chunks were not embedded
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
        Badge badge,
        int chunks,
        int embedded,
        String counted,
        @Nullable String reason) {

    static SourceItem of(KnowledgeSource source, String ownerName, Caller caller, Reader when) {
        var progress = source.progress();
        var badge = Badge.of(progress.status());
        var added = source.id().createdAt();
        return new SourceItem(
                source.id().hex(),
                KnowledgePaths.source(source.id()),
                Kind.of(source.type()),
                source.title(),
                source.isPublic(),
                caller.mayChange(source.owner()),
                source.owner().hex(),
                ownerName,
                when.ago(added),
                when.exact(added),
                badge,
                progress.chunks(),
                progress.embedded(),
                counted(progress),
                progress.dead() == 0 || !caller.mayChange(source.owner()) ? null : progress.errorMessage());
    }

    private static String counted(KnowledgeSource.Progress progress) {
        var all = progress.chunks() == 1 ? "1 chunk" : "%,d chunks".formatted(progress.chunks());
        return progress.embedded() == progress.chunks() ? all : "%,d of %s".formatted(progress.embedded(), all);
    }

    /**
     * A type of source as people read it.
     *
     * @param icon the name of a symbol in {@code icons.svg}
     */
    public record Kind(String label, String icon) {

        static Kind of(SourceType type) {
            return switch (type) {
                case DISCORD_SESSION -> new Kind("Session", "chat");
                case DOCUMENT_FILE -> new Kind("File", "file");
                case WEB_PAGE -> new Kind("Web page", "globe");
                case IMAGE_CAPTION -> new Kind("Image", "image");
                case AUDIO_TRANSCRIPT -> new Kind("Recording", "sound");
                case NOTE -> new Kind("Text", "edit");
                case POST -> new Kind("Post", "home");
            };
        }
    }

    /**
     * The embedding status of a source.
     *
     * @param style the CSS class of its colour
     * @param isRunning whether it will still change
     */
    public record Badge(String style, String label, String icon, boolean isRunning) {

        static Badge of(Status status) {
            return switch (status) {
                case PENDING -> new Badge("waiting", "Waiting", "clock", true);
                case PROCESSING -> new Badge("running", "Embedding", "flow", true);
                case COMPLETED -> new Badge("completed", "Ready", "check", false);
                case PARTIAL -> new Badge("partial", "Partly ready", "alert", false);
                case FAILED -> new Badge("failed", "Failed", "alert", false);
            };
        }
    }
}
