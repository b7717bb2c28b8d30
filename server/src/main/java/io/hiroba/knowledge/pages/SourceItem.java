package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.KnowledgeSource.Status;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import org.jspecify.annotations.Nullable;

/**
 * A row of the list of sources.
 *
 * @param isMine whether the reader may edit it
 * @param owner empty if it is nobody's
 * @param access who may read it, in words
 * @param collection the name of the collection that it is in
 * @param isRemovable whether the reader may delete it or take it out of its collection
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
        @Nullable Text reason,
        Text access,
        @Nullable String collection,
        @Nullable String collectionPath,
        boolean isRemovable) {

    static SourceItem of(KnowledgeSource source, String ownerName, Caller caller, Reader reader) {
        var progress = source.progress();
        var badge = Badge.of(progress.status());
        var added = source.id().createdAt();
        var collection = source.collection();
        return new SourceItem(
                source.id().hex(),
                KnowledgePaths.source(source.id()),
                Kind.of(source.type()),
                source.title(),
                source.isPublic(),
                source.mayChange(caller),
                source.isNobodys() ? "" : source.owner().hex(),
                ownerName,
                reader.ago(added),
                reader.exact(added),
                badge,
                progress.chunks(),
                progress.embedded(),
                counted(progress, reader),
                source.mayChange(caller) ? reason(progress) : null,
                access(source.visibility()),
                collection == null ? null : collection.name(),
                collection == null ? null : KnowledgePaths.collection(collection.id()),
                source.mayRemove(caller));
    }

    /** The readers of a source or a collection, in words. */
    static Text access(Visibility visibility) {
        return switch (visibility) {
            case PRIVATE -> Text.of("knowledge.private");
            case SHARED -> Text.of("knowledge.shared");
            case PUBLIC -> Text.of("knowledge.public");
        };
    }

    private static String counted(KnowledgeSource.Progress progress, Reader reader) {
        return progress.embedded() == progress.chunks()
                ? reader.text("knowledge.status.chunks", "count", progress.chunks())
                : reader.text(
                        "knowledge.status.chunks-of", "embedded", progress.embedded(), "count", progress.chunks());
    }

    private static @Nullable Text reason(KnowledgeSource.Progress progress) {
        var code = progress.errorCode();
        var message = progress.errorMessage();
        return progress.dead() == 0 || code == null || message == null ? null : Fault.messageOf(code, message);
    }

    /**
     * A type of source as people read it.
     *
     * @param icon the name of a symbol in {@code icons.svg}
     */
    public record Kind(Text label, String icon) {

        static Kind of(SourceType type) {
            return switch (type) {
                case DISCORD_SESSION -> new Kind(Text.of("knowledge.kind.session"), "chat");
                case DOCUMENT_FILE -> new Kind(Text.of("knowledge.kind.file"), "file");
                case WEB_PAGE -> new Kind(Text.of("knowledge.kind.web-page"), "globe");
                case IMAGE_CAPTION -> new Kind(Text.of("knowledge.kind.image"), "image");
                case AUDIO_TRANSCRIPT -> new Kind(Text.of("knowledge.kind.recording"), "sound");
                case NOTE -> new Kind(Text.of("knowledge.kind.text"), "edit");
                case POST -> new Kind(Text.of("knowledge.kind.post"), "home");
                case RECORD -> new Kind(Text.of("knowledge.kind.record"), "table");
                case RESOURCE -> new Kind(Text.of("knowledge.kind.resource"), "inbox");
            };
        }
    }

    /**
     * The embedding status of a source.
     *
     * @param style the CSS class of its colour
     * @param isRunning whether it will still change
     */
    public record Badge(String style, Text label, String icon, boolean isRunning) {

        static Badge of(Status status) {
            return switch (status) {
                case PENDING -> new Badge("waiting", Text.of("knowledge.status.waiting"), "clock", true);
                case PROCESSING -> new Badge("running", Text.of("knowledge.status.embedding"), "flow", true);
                case COMPLETED -> new Badge("completed", Text.of("knowledge.status.ready"), "check", false);
                case PARTIAL -> new Badge("partial", Text.of("knowledge.status.partly-ready"), "alert", false);
                case FAILED -> new Badge("failed", Text.of("knowledge.status.failed"), "alert", false);
            };
        }
    }
}
