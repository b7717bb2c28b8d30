package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that could not be embedded, with the reason. It outlives the chunk.
 *
 * @param retries the number of retries before it was given up
 */
public record DeadLetter(
        DeadLetterId id,
        Origin origin,
        Model model,
        String errorCode,
        String errorMessage,
        int retries,
        Instant createdAt,
        @Nullable Instant lastRetryAt) {

    /** The chunk that could not be embedded. */
    public record Origin(SourceId source, String sourceTitle, ChunkId chunk, UserId owner, String content) {}
}
