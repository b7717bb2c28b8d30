package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import java.util.List;
import java.util.UUID;

/**
 * A batch of chunks that a worker holds until its lease ends. All of them have the same number of retries.
 *
 * @param id the fencing token: nothing is written after another worker has taken over
 */
record Claim(UUID id, EmbeddingSpace space, List<ClaimedChunk> chunks) {

    Claim {
        chunks = List.copyOf(chunks);
    }

    /** The number of retries before. */
    int retries() {
        return chunks.getFirst().retries();
    }

    List<String> texts() {
        return chunks.stream().map(ClaimedChunk::text).toList();
    }

    List<Claim> halves() {
        int middle = chunks.size() / 2;
        return List.of(
                new Claim(id, space, chunks.subList(0, middle)),
                new Claim(id, space, chunks.subList(middle, chunks.size())));
    }

    /** A claimed chunk with the number of its retries. */
    record ClaimedChunk(SourceId source, ChunkId chunk, int retries, String title, String label, String content) {

        private static final int MAX_TITLE = 200;

        /**
         * The text to embed: the content below its title and heading, without which a passage often does not say what it is about. A
         * post has its own beginning for a title.
         */
        String text() {
            return content.startsWith(title)
                    ? content
                    : "%s\n%s\n\n%s".formatted(title.substring(0, Math.min(MAX_TITLE, title.length())), label, content);
        }
    }
}
