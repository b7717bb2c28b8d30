package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.Stored.Chunk;
import io.hiroba.bench.chaos.knowledge.Stored.Letter;
import java.util.ArrayList;
import java.util.List;

/** One chunk: it has the vector of its text, or one dead letter and a reason for that. */
final class ChunkTrial {

    /** How often servers try a chunk again. */
    static final int MAX_RETRY = 3;

    private final Chunk chunk;
    private final List<Letter> letters;
    private final int tries;
    private final List<String> wrong = new ArrayList<>();

    /** @param tries how many calls may have cost the chunk a retry */
    ChunkTrial(Chunk chunk, List<Letter> letters, int tries) {
        this.chunk = chunk;
        this.letters = letters;
        this.tries = tries;
    }

    /** What is wrong. */
    List<String> run() {
        int vectors = chunk.vectors().size();
        check(chunk.waiting() == 0, "still waits for its vector");
        check(
                vectors + letters.size() + chunk.waiting() == 1,
                "has %d vectors and %d dead letters".formatted(vectors, letters.size()));
        for (var vector : chunk.vectors()) {
            check(Vectors.isOf(vector.values(), chunk.content()), "has the vector of another text");
            check(vector.isPublic() == chunk.isPublic(), "is not shown to those to whom its vector is");
        }
        check(vectors == 0 || Flaw.of(chunk.content()) == Flaw.NONE, "has a vector that nobody makes");
        letters.forEach(this::letter);
        return wrong.stream()
                .map(what -> "passage %d %s: %s".formatted(chunk.position(), what, excerpt()))
                .toList();
    }

    private void letter(Letter letter) {
        check(letter.content().equals(chunk.content()), "has a dead letter that says something else");
        // One call may have got lost before the service saw it: its server was frozen then.
        check(
                tries > 0 && tries >= letter.retries(),
                "is dead after %d retries, but was tried %d times".formatted(letter.retries(), tries));
        switch (letter.code()) {
            case "TEXT_REFUSED" -> check(Flaw.of(chunk.content()) == Flaw.REFUSED, "was taken for refused");
            case "SERVER_ERROR", "EMBEDDING_API_TIMEOUT", "BAD_ANSWER" ->
                check(
                        letter.retries() == MAX_RETRY,
                        "is dead after %d retries instead of %d".formatted(letter.retries(), MAX_RETRY));
            default -> wrong.add("is dead because of " + letter.code());
        }
    }

    private void check(boolean right, String complaint) {
        if (!right) {
            wrong.add(complaint);
        }
    }

    private String excerpt() {
        return chunk.content().replace('\n', ' ');
    }
}
