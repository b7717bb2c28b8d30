package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.DatabaseState.Chunk;
import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import java.util.ArrayList;
import java.util.List;

/** Checks one chunk: it has the vector of its text, or one dead letter with a valid reason. */
final class ChunkCheck {

    /** The configured number of retries. */
    static final int MAX_RETRY = 3;

    private final Chunk chunk;
    private final List<DeadLetter> deadLetters;
    private final int attempts;
    private final List<String> violations = new ArrayList<>();

    /** @param attempts the number of calls that may have counted as a retry */
    ChunkCheck(Chunk chunk, List<DeadLetter> deadLetters, int attempts) {
        this.chunk = chunk;
        this.deadLetters = deadLetters;
        this.attempts = attempts;
    }

    /** Returns the violations. */
    List<String> run() {
        int vectors = chunk.vectors().size();
        check(chunk.waiting() == 0, "still waits for its vector");
        check(
                vectors + deadLetters.size() + chunk.waiting() == 1,
                "has %d vectors and %d dead letters".formatted(vectors, deadLetters.size()));
        for (var vector : chunk.vectors()) {
            check(TextVectors.isOf(vector.values(), chunk.content()), "has the vector of another text");
            check(vector.isPublic() == chunk.isPublic(), "and its vector differ in visibility");
        }
        check(
                vectors == 0 || TextDefect.of(chunk.content()) == TextDefect.NONE,
                "has a vector that the service never returns");
        deadLetters.forEach(this::checkDeadLetter);
        return violations.stream()
                .map(what -> "passage %d %s: %s".formatted(chunk.position(), what, excerpt()))
                .toList();
    }

    private void checkDeadLetter(DeadLetter deadLetter) {
        check(deadLetter.content().equals(chunk.content()), "has a dead letter that says something else");
        // One call may have got lost before the service saw it, from a frozen server.
        check(
                attempts > 0 && attempts >= deadLetter.retries(),
                "is dead after %d retries, but was tried %d times".formatted(deadLetter.retries(), attempts));
        switch (deadLetter.code()) {
            case "TEXT_REFUSED" -> check(TextDefect.of(chunk.content()) == TextDefect.REFUSED, "was taken for refused");
            case "SERVER_ERROR", "EMBEDDING_API_TIMEOUT", "BAD_ANSWER" ->
                check(
                        deadLetter.retries() == MAX_RETRY,
                        "is dead after %d retries instead of %d".formatted(deadLetter.retries(), MAX_RETRY));
            default -> violations.add("is dead because of " + deadLetter.code());
        }
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    private String excerpt() {
        return chunk.content().replace('\n', ' ');
    }
}
