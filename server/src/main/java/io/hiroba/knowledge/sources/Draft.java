package io.hiroba.knowledge.sources;

import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.SourceType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was handed in, read and cut into chunks: all that is left is to write it.
 *
 * @param titled whether its owner chose the title
 * @param contentHash the SHA-256 of what was handed in, in hex; none if the same may come from elsewhere too
 */
public record Draft(
        SourceType type,
        String title,
        boolean titled,
        @Nullable String uri,
        @Nullable String origin,
        @Nullable String contentHash,
        Map<String, Object> metadata,
        List<NewChunk> chunks) {

    public Draft {
        metadata = Map.copyOf(metadata);
        chunks = List.copyOf(chunks);
    }
}
