package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Person;
import io.hiroba.bench.chaos.knowledge.Findings.Difference;
import io.hiroba.bench.chaos.knowledge.Shown.Progress;
import io.hiroba.bench.chaos.knowledge.Stored.Chunk;
import io.hiroba.bench.chaos.knowledge.Stored.Letter;
import io.hiroba.bench.chaos.knowledge.Stored.Part;
import io.hiroba.bench.chaos.knowledge.Stored.Session;
import io.hiroba.bench.chaos.knowledge.Stored.Source;
import io.hiroba.bench.chaos.knowledge.Stored.Span;
import io.hiroba.bench.chaos.knowledge.Stored.Vector;
import io.hiroba.bench.chaos.knowledge.Talk.Line;
import io.hiroba.bench.chaos.knowledge.Talk.Said;
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
final class Planted {

    static final long SOURCE = 256;
    static final long FIRST_PART = 512;
    static final long SECOND_PART = 768;
    static final String PLAIN = "Passage 1\n\nA key.";
    static final String REFUSED = "Passage 2\n\nA key" + Flaw.REFUSED.mark();
    static final String POISON = "Passage 3\n\nA key" + Flaw.POISON.mark();

    private static final long SESSION = 1024;

    final Person owner = new Person(1, "token");
    final Memory memory = new Memory(List.of(owner));
    final Talk talk = memory.anyTalk(new SplittableRandom(1));
    final Calls calls = new Calls();
    final Map<Long, Source> sources = new TreeMap<>();
    final List<Letter> letters = new ArrayList<>();
    final Map<Long, Integer> told = new HashMap<>();
    final Map<Long, Progress> shown = new HashMap<>();
    final List<Letter> shownLetters = new ArrayList<>();
    final Map<Integer, Line> messages = new TreeMap<>();
    final Map<Integer, Line> shownMessages = new TreeMap<>();
    int spaces = 1;
    int archived = 9;
    String status = "archived";

    Planted() {
        memory.keep(new Holding(SOURCE, owner, List.of(PLAIN, REFUSED, POISON), false, false));
        add(SOURCE, null, List.of(chunk(0, PLAIN, null), chunk(1, REFUSED, null), chunk(2, POISON, null)));
        shown.put(SOURCE, new Progress("partial", "private", 3, 1, 0, 2));
        calls.taken(List.of(PLAIN), Manner.GOOD);
        calls.taken(List.of(PLAIN, REFUSED), Manner.REFUSING);
        IntStream.rangeClosed(0, ChunkTrial.MAX_RETRY).forEach(n -> calls.taken(List.of(POISON), Manner.POISONED));
        letter(new Letter(SOURCE, 1, REFUSED, "TEXT_REFUSED", 0));
        letter(new Letter(SOURCE, 2, POISON, "SERVER_ERROR", ChunkTrial.MAX_RETRY));
        told.put(SOURCE, 2);

        say(0, 4);
        say(4, 9);
        add(FIRST_PART, part(0, 4), List.of(window(0, 0, 4)));
        add(SECOND_PART, part(4, 5), List.of(window(0, 2, 7), window(1, 5, 9)));
        shown.put(FIRST_PART, new Progress("completed", "private", 1, 1, 0, 0));
        shown.put(SECOND_PART, new Progress("completed", "private", 2, 2, 0, 0));
    }

    private void add(long id, @Nullable Part part, List<Chunk> chunks) {
        sources.put(id, new Source(id, false, chunks.size(), part, new ArrayList<>(chunks)));
    }

    static Part part(int first, int count) {
        return new Part(Ids.hex(SESSION), first, count);
    }

    private static Chunk chunk(int position, String content, @Nullable Span span) {
        var vectors =
                Flaw.of(content) == Flaw.NONE ? List.of(new Vector(false, Vectors.of(content))) : List.<Vector>of();
        return new Chunk(position, position, content, false, span, 0, vectors);
    }

    Chunk window(int position, int from, int to) {
        var text = IntStream.range(from, to)
                .mapToObj(this::message)
                .map(line -> line.speaker() + ": " + line.content())
                .collect(Collectors.joining("\n\n"));
        return chunk(position, text, new Span(from, to - 1));
    }

    private void letter(Letter letter) {
        letters.add(letter);
        shownLetters.add(letter);
    }

    private void say(int from, int to) {
        var lines = IntStream.range(from, to)
                .mapToObj(n -> new Line(n % 2 == 0 ? "user" : "assistant", n == 0 ? "Ann" : null, "Words number " + n))
                .toList();
        talk.add(new Said(from, lines, from, to));
        IntStream.range(from, to).forEach(n -> {
            messages.put(n, lines.get(n - from));
            shownMessages.put(n, lines.get(n - from));
        });
    }

    Source source(long id) {
        return Objects.requireNonNull(sources.get(id));
    }

    Holding holding() {
        return Objects.requireNonNull(memory.holdings().get(SOURCE));
    }

    Line message(int index) {
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
    List<String> wrong() {
        var session = new Session(SESSION, owner.id(), talk.key(), false, status, messages.size(), archived, messages);
        var stored = new Stored(spaces, sources, letters, List.of(session), told);
        var evidence = new Evidence(memory, stored, new Shown(shown, shownLetters, Map.of(talk, shownMessages)), calls);
        return Findings.of(evidence).differences().stream()
                .map(Difference::what)
                .flatMap(List::stream)
                .toList();
    }
}
