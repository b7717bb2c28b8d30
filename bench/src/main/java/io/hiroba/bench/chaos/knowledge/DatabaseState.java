package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the tables.
 *
 * @param spaces the number of spaces that are not retired
 * @param deadLetterEvents the number of dead letters in the event log, by source
 */
record DatabaseState(
        int spaces,
        Map<Long, Source> sources,
        List<DeadLetter> deadLetters,
        List<Session> sessions,
        Map<Long, Integer> deadLetterEvents) {

    /**
     * A source with its chunks by position.
     *
     * @param part the archived messages; null unless the source is of a session
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

    /** A range of messages of a session. */
    record Part(String session, int first, int count) {

        int end() {
            return first + count;
        }
    }

    /**
     * A chunk.
     *
     * @param messages the range of its messages; null unless the source is of a session
     * @param waiting the number of its rows in the embedding queue
     */
    record Chunk(
            long id,
            int position,
            String content,
            boolean isPublic,
            @Nullable Span messages,
            int waiting,
            List<Vector> vectors) {}

    /** A range of messages, inclusive. */
    record Span(int first, int last) {}

    record Vector(boolean isPublic, List<Float> values) {}

    /** A dead letter. */
    record DeadLetter(long source, long chunk, String content, String code, int retries) {}

    /** A session with its messages by index. */
    record Session(
            long id,
            long owner,
            String key,
            boolean isPublic,
            String status,
            int messageCount,
            int archived,
            Map<Integer, Message> messages) {}

    List<DeadLetter> deadLettersOf(long source, long chunk) {
        return deadLetters.stream()
                .filter(deadLetter -> deadLetter.source() == source && deadLetter.chunk() == chunk)
                .toList();
    }
}
