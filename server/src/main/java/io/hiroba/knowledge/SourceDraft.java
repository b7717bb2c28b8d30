package io.hiroba.knowledge;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An input that was read and cut into chunks, ready to be written.
 *
 * @param titled whether its owner chose the title
 * @param contentHash the SHA-256 of what was handed in, in hex; none if the same may come from elsewhere too
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
