package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.Stored.Letter;
import io.hiroba.bench.chaos.knowledge.Talk.Line;
import java.util.List;
import java.util.Map;

/**
 * The sources and messages as the API shows them to their owners.
 *
 * @param sources by their ids
 * @param messages by their sessions, as their indexes go
 */
record Shown(Map<Long, Progress> sources, List<Letter> letters, Map<Talk, Map<Integer, Line>> messages) {

    /** The progress of a source as it is shown. */
    record Progress(String status, String visibility, int chunks, int embedded, int waiting, int dead) {}
}
