package io.hiroba.knowledge;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An input that was read and cut into chunks, ready to be written.
 *
 * @param titled whether its owner chose the title
 * @param contentHash the SHA-256 of the input in hex; null if equal content may have several sources
 */
record SourceDraft(
        SourceType type,
        String title,
        boolean titled,
        @Nullable String uri,
        @Nullable String origin,
        @Nullable String contentHash,
        Map<String, Object> metadata,
        List<NewChunk> chunks) {

    public SourceDraft {
        metadata = Map.copyOf(metadata);
        chunks = List.copyOf(chunks);
    }
}
