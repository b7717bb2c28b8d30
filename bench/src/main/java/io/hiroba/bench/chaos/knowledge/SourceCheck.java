package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.ApiState.Progress;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Chunk;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Source;
import java.util.ArrayList;
import java.util.List;

/** Checks one source: all of its chunks, and its progress in the API. */
final class SourceCheck {

    private final Source source;
    private final Observations observations;
    private final List<String> violations = new ArrayList<>();

    SourceCheck(Source source, Observations observations) {
        this.source = source;
        this.observations = observations;
    }

    /** Returns the violations of any source. */
    List<String> run() {
        var chunks = source.chunks();
        check(
                source.chunkCount() == chunks.size(),
                "says that it has %d passages, and has %d".formatted(source.chunkCount(), chunks.size()));
        for (int i = 0; i < chunks.size(); i++) {
            var chunk = chunks.get(i);
            check(chunk.position() == i, "passage %d is in place %d".formatted(i, chunk.position()));
            check(chunk.isPublic() == source.isPublic(), "passage %d and the source differ in visibility".formatted(i));
            var deadLetters = observations.database().deadLettersOf(source.id(), chunk.id());
            violations.addAll(
                    new ChunkCheck(chunk, deadLetters, observations.calls().attempts(chunk.content())).run());
        }
        checkProgress();
        return violations;
    }

    /** Also compares the source with the acknowledged state. */
    List<String> run(ExpectedSource expected) {
        run();
        check(source.isPublic() == expected.isPublic(), "does not have the visibility that its owner set");
        var says = source.chunks().stream().map(Chunk::content).toList();
        check(
                says.equals(expected.passages()),
                "says\n%s\ninstead of\n%s".formatted(String.join("\n", says), String.join("\n", expected.passages())));
        return violations;
    }

    private void checkProgress() {
        int dead = (int) source.chunks().stream()
                .filter(chunk -> !observations
                        .database()
                        .deadLettersOf(source.id(), chunk.id())
                        .isEmpty())
                .count();
        int waiting = source.chunks().stream().mapToInt(Chunk::waiting).sum();
        int embedded = source.chunks().size() - dead - waiting;
        var expectedProgress = new Progress(
                status(source.chunks().size(), waiting, dead),
                source.isPublic() ? "public" : "private",
                source.chunks().size(),
                embedded,
                waiting,
                dead);
        var actual = observations.api().sources().get(source.id());
        check(expectedProgress.equals(actual), "is shown as %s instead of %s".formatted(actual, expectedProgress));
    }

    static String status(int chunks, int waiting, int dead) {
        if (waiting > 0) {
            return "processing";
        }
        return dead == 0 ? "completed" : dead == chunks ? "failed" : "partial";
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }
}
