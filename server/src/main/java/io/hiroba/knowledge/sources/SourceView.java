package io.hiroba.knowledge.sources;

import io.hiroba.knowledge.SourceType;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A source as the API shows it. */
record SourceView(
        String id,
        SourceType type,
        String title,
        @Nullable String uri,
        String visibility,
        String status,
        Progress progress,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        JsonNode metadata,
        String ownedBy,
        Instant createdAt,
        Instant updatedAt) {

    record Progress(int chunks, int embedded, int waiting, int dead) {}

    static SourceView of(Source source) {
        var progress = source.progress();
        return new SourceView(
                source.id().hex(),
                source.type(),
                source.title(),
                source.uri(),
                source.isPublic() ? "public" : "private",
                progress.status().name().toLowerCase(Locale.ROOT),
                new Progress(progress.chunks(), progress.embedded(), progress.waiting(), progress.dead()),
                progress.errorCode(),
                progress.errorMessage(),
                source.metadata(),
                source.owner().hex(),
                source.id().createdAt(),
                source.updatedAt());
    }

    /** A passage as the API shows it. */
    record Passage(String id, int position, String content, String url, String label, int tokens, JsonNode location) {

        static Passage of(SourceChunk chunk) {
            return new Passage(
                    chunk.id().hex(),
                    chunk.position(),
                    chunk.content(),
                    chunk.url(),
                    chunk.label(),
                    chunk.tokens(),
                    chunk.location());
        }
    }
}
