package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.Talk.Line;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of the tables, all of one moment.
 *
 * @param spaces how many there are that chunks are embedded in
 * @param told of how many dead letters of each source the event log tells its owner
 */
record Stored(
        int spaces, Map<Long, Source> sources, List<Letter> letters, List<Session> sessions, Map<Long, Integer> told) {

    /**
     * A source with its chunks in the order of their places.
     *
     * @param part the messages that are new in it; none unless it was made of a session
     */
    record Source(
            long id,
            boolean isPublic,
            int chunkCount,
            @Nullable Part part,
            List<Chunk> chunks) {

        @Override
        public String toString() {
            return "source " + Ids.hex(id);
        }
    }

    /** So many messages of a session from {@code first} on. */
    record Part(String session, int first, int count) {

        int end() {
            return first + count;
        }
    }

    /**
     * A chunk.
     *
     * @param messages the first message it holds and the last; none unless it was made of a session
     * @param waiting how many rows of the queue are about it
     */
    record Chunk(
            long id,
            int position,
            String content,
            boolean isPublic,
            @Nullable Span messages,
            int waiting,
            List<Vector> vectors) {}

    /** From the one message to the other, both included. */
    record Span(int first, int last) {}

    record Vector(boolean isPublic, List<Float> values) {}

    /** A dead letter. */
    record Letter(long source, long chunk, String content, String code, int retries) {}

    /** A session with its messages by their indexes. */
    record Session(
            long id,
            long owner,
            String key,
            boolean isPublic,
            String status,
            int messageCount,
            int archived,
            Map<Integer, Line> messages) {}

    /** The dead letters about a chunk. */
    List<Letter> lettersOf(long source, long chunk) {
        return letters.stream()
                .filter(letter -> letter.source() == source && letter.chunk() == chunk)
                .toList();
    }
}
