package io.hiroba.knowledge.embedding;

import java.util.List;
import java.util.UUID;

/**
 * Chunks of a space that a worker has taken on until its lease ends. All of them were tried equally often.
 *
 * @param id what is written about them names it, so that nothing is written once they are another's
 */
record Claim(UUID id, Space space, List<ClaimedChunk> chunks) {

    Claim {
        chunks = List.copyOf(chunks);
    }

    /** How often they have been tried again before. */
    int retries() {
        return chunks.getFirst().retries();
    }

    List<String> texts() {
        return chunks.stream().map(ClaimedChunk::content).toList();
    }

    List<Claim> halves() {
        int middle = chunks.size() / 2;
        return List.of(
                new Claim(id, space, chunks.subList(0, middle)),
                new Claim(id, space, chunks.subList(middle, chunks.size())));
    }
}
