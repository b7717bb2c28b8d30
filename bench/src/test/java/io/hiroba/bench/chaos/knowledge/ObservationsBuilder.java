package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.knowledge.ApiState.Progress;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Chunk;
import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Part;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Session;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Source;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Span;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Vector;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Acknowledged;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
import io.hiroba.bench.chaos.knowledge.KnowledgeReport.Difference;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a run might leave, written by hand, and right until something is planted in it: a source of three passages, of which
 * one is refused and one is poison, and a session of nine messages that was archived after four and after all of them.
 */
final class ObservationsBuilder {

    static final long SOURCE = 256;
    static final long FIRST_PART = 512;
    static final long SECOND_PART = 768;
    static final String PLAIN = "Passage 1\n\nA key.";
    static final String REFUSED = "Passage 2\n\nA key" + TextDefect.REFUSED.mark();
    static final String POISON = "Passage 3\n\nA key" + TextDefect.POISON.mark();

    private static final long SESSION = 1024;

    final ChaosUser owner = new ChaosUser(1, "token");
    final ClientHistory history = new ClientHistory(List.of(owner));
    final ExpectedSession expected = history.anySession(new SplittableRandom(1));
    final EmbeddingCalls calls = new EmbeddingCalls();
    final Map<Long, Source> sources = new TreeMap<>();
    final List<DeadLetter> deadLetters = new ArrayList<>();
    final Map<Long, Integer> deadLetterEvents = new HashMap<>();
    final Map<Long, Progress> api = new HashMap<>();
    final List<DeadLetter> shownLetters = new ArrayList<>();
    final Map<Integer, Message> messages = new TreeMap<>();
    final Map<Integer, Message> shownMessages = new TreeMap<>();
    int spaces = 1;
    int archived = 9;
    String status = "archived";

    ObservationsBuilder() {
        history.keep(new ExpectedSource(SOURCE, owner, List.of(PLAIN, REFUSED, POISON), false, false));
        add(SOURCE, null, List.of(chunk(0, PLAIN, null), chunk(1, REFUSED, null), chunk(2, POISON, null)));
        api.put(SOURCE, new Progress("partial", "private", 3, 1, 0, 2));
        calls.record(List.of(PLAIN), EmbeddingBehaviour.GOOD);
        calls.record(List.of(PLAIN, REFUSED), EmbeddingBehaviour.REFUSING);
        IntStream.rangeClosed(0, ChunkCheck.MAX_RETRY)
                .forEach(n -> calls.record(List.of(POISON), EmbeddingBehaviour.POISONED));
        deadLetter(new DeadLetter(SOURCE, 1, REFUSED, "TEXT_REFUSED", 0));
        deadLetter(new DeadLetter(SOURCE, 2, POISON, "SERVER_ERROR", ChunkCheck.MAX_RETRY));
        deadLetterEvents.put(SOURCE, 2);

        append(0, 4);
        append(4, 9);
        add(FIRST_PART, part(0, 4), List.of(window(0, 0, 4)));
        add(SECOND_PART, part(4, 5), List.of(window(0, 2, 7), window(1, 5, 9)));
        api.put(FIRST_PART, new Progress("completed", "private", 1, 1, 0, 0));
        api.put(SECOND_PART, new Progress("completed", "private", 2, 2, 0, 0));
    }

    private void add(long id, @Nullable Part part, List<Chunk> chunks) {
        sources.put(id, new Source(id, false, chunks.size(), part, new ArrayList<>(chunks)));
    }

    static Part part(int first, int count) {
        return new Part(Ids.hex(SESSION), first, count);
    }

    private static Chunk chunk(int position, String content, @Nullable Span span) {
        var vectors = TextDefect.of(content) == TextDefect.NONE
                ? List.of(new Vector(false, TextVectors.of(content)))
                : List.<Vector>of();
        return new Chunk(position, position, content, false, span, 0, vectors);
    }

    Chunk window(int position, int from, int to) {
        var text = IntStream.range(from, to)
                .mapToObj(this::message)
                .map(message -> message.speaker() + ": " + message.content())
                .collect(Collectors.joining("\n\n"));
        return chunk(position, text, new Span(from, to - 1));
    }

    private void deadLetter(DeadLetter deadLetter) {
        deadLetters.add(deadLetter);
        shownLetters.add(deadLetter);
    }

    private void append(int from, int to) {
        var added = IntStream.range(from, to)
                .mapToObj(
                        n -> new Message(n % 2 == 0 ? "user" : "assistant", n == 0 ? "Ann" : null, "Words number " + n))
                .toList();
        expected.add(new Acknowledged(from, added, from, to));
        IntStream.range(from, to).forEach(n -> {
            messages.put(n, added.get(n - from));
            shownMessages.put(n, added.get(n - from));
        });
    }

    Source source(long id) {
        return Objects.requireNonNull(sources.get(id));
    }

    ExpectedSource expected() {
        return Objects.requireNonNull(history.expectedSources().get(SOURCE));
    }

    Message message(int index) {
        return Objects.requireNonNull(messages.get(index));
    }

    /** Puts something else in the place of a chunk. */
    void change(long source, int position, UnaryOperator<Chunk> change) {
        var chunks = source(source).chunks();
        chunks.set(position, change.apply(chunks.get(position)));
    }

    /** The same chunk with these vectors. */
    static Chunk with(Chunk chunk, List<Vector> vectors) {
        return new Chunk(
                chunk.id(),
                chunk.position(),
                chunk.content(),
                chunk.isPublic(),
                chunk.messages(),
                chunk.waiting(),
                vectors);
    }

    /** What is found to be wrong. */
    List<String> violations() {
        var session =
                new Session(SESSION, owner.id(), expected.key(), false, status, messages.size(), archived, messages);
        var database = new DatabaseState(spaces, sources, deadLetters, List.of(session), deadLetterEvents);
        var observations = new Observations(
                history, database, new ApiState(api, shownLetters, Map.of(expected, shownMessages)), calls);
        return KnowledgeReport.of(observations).differences().stream()
                .map(Difference::what)
                .flatMap(List::stream)
                .toList();
    }
}
