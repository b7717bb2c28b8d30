package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.Shown.Progress;
import io.hiroba.bench.chaos.knowledge.Stored.Chunk;
import io.hiroba.bench.chaos.knowledge.Stored.Source;
import java.util.ArrayList;
import java.util.List;

/** One source that is there: all of its chunks, and what people are told about it. */
final class SourceTrial {

    private final Source source;
    private final Evidence evidence;
    private final List<String> wrong = new ArrayList<>();

    SourceTrial(Source source, Evidence evidence) {
        this.source = source;
        this.evidence = evidence;
    }

    /** What is wrong, whoever made it and of what. */
    List<String> run() {
        var chunks = source.chunks();
        check(
                source.chunkCount() == chunks.size(),
                "says that it has %d passages, and has %d".formatted(source.chunkCount(), chunks.size()));
        for (int i = 0; i < chunks.size(); i++) {
            var chunk = chunks.get(i);
            check(chunk.position() == i, "passage %d is in place %d".formatted(i, chunk.position()));
            check(chunk.isPublic() == source.isPublic(), "passage %d is shown to others than the source".formatted(i));
            var letters = evidence.stored().lettersOf(source.id(), chunk.id());
            wrong.addAll(new ChunkTrial(chunk, letters, evidence.calls().tries(chunk.content())).run());
        }
        progress();
        return wrong;
    }

    /** As {@link #run}, with what its owner wants it to be. */
    List<String> run(Holding holding) {
        run();
        check(source.isPublic() == holding.isPublic(), "is shown to others than its owner wants");
        var says = source.chunks().stream().map(Chunk::content).toList();
        check(
                says.equals(holding.passages()),
                "says\n%s\ninstead of\n%s".formatted(String.join("\n", says), String.join("\n", holding.passages())));
        return wrong;
    }

    private void progress() {
        int dead = (int) source.chunks().stream()
                .filter(chunk ->
                        !evidence.stored().lettersOf(source.id(), chunk.id()).isEmpty())
                .count();
        int waiting = source.chunks().stream().mapToInt(Chunk::waiting).sum();
        int embedded = source.chunks().size() - dead - waiting;
        var wanted = new Progress(
                status(source.chunks().size(), waiting, dead),
                source.isPublic() ? "public" : "private",
                source.chunks().size(),
                embedded,
                waiting,
                dead);
        var shown = evidence.shown().sources().get(source.id());
        check(wanted.equals(shown), "is shown as %s instead of %s".formatted(shown, wanted));
    }

    static String status(int chunks, int waiting, int dead) {
        if (waiting > 0) {
            return "processing";
        }
        return dead == 0 ? "completed" : dead == chunks ? "failed" : "partial";
    }

    private void check(boolean right, String complaint) {
        if (!right) {
            wrong.add(complaint);
        }
    }
}
