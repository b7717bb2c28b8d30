package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
import java.util.List;
import java.util.Map;

/**
 * The sources, dead letters and messages as the API shows them to their owners.
 *
 * @param sources by id
 * @param messages by session and index
 */
record ApiState(
        Map<Long, Progress> sources,
        List<DeadLetter> deadLetters,
        Map<ExpectedSession, Map<Integer, Message>> messages) {

    /** The progress of a source in the API. */
    record Progress(String status, String visibility, int chunks, int embedded, int waiting, int dead) {}
}
