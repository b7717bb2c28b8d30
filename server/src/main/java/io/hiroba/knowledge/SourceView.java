package io.hiroba.knowledge;

import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.platform.i18n.Language;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A source in the API. */
record SourceView(
        String id,
        SourceType type,
        String title,
        @Nullable String uri,
        Visibility visibility,
        String status,
        Progress progress,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        JsonNode metadata,
        @Nullable String ownedBy,
        @Nullable String collection,
        Instant createdAt,
        Instant updatedAt) {

    record Progress(int chunks, int embedded, int waiting, int dead) {}

    static SourceView of(KnowledgeSource source) {
        var progress = source.progress();
        return new SourceView(
                source.id().hex(),
                source.type(),
                source.title(),
                source.uri(),
                source.visibility(),
                progress.status().name().toLowerCase(Locale.ROOT),
                new Progress(progress.chunks(), progress.embedded(), progress.waiting(), progress.dead()),
                progress.errorCode(),
                progress.errorMessage(),
                source.metadata(),
                source.isNobodys() ? null : source.owner().hex(),
                source.collection() == null ? null : source.collection().id().hex(),
                source.id().createdAt(),
                source.updatedAt());
    }

    /** A chunk in the API. */
    record Chunk(String id, int position, String content, String url, String label, int tokens, JsonNode location) {

        static Chunk of(SourceChunk chunk, Language language) {
            return new Chunk(
                    chunk.id().hex(),
                    chunk.position(),
                    chunk.content(),
                    chunk.url(),
                    ChunkLocation.text(chunk.label()).in(language),
                    chunk.tokens(),
                    chunk.location());
        }
    }
}
