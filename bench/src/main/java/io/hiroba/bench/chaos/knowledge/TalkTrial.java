package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.Stored.Part;
import io.hiroba.bench.chaos.knowledge.Stored.Session;
import io.hiroba.bench.chaos.knowledge.Stored.Source;
import io.hiroba.bench.chaos.knowledge.Stored.Span;
import io.hiroba.bench.chaos.knowledge.Talk.Line;
import io.hiroba.bench.chaos.knowledge.Talk.Said;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One session: what was said in it, and what became knowledge of that. */
final class TalkTrial {

    private static final int WINDOW = 5;
    private static final int OVERLAP = 2;
    private static final int FEWEST_CHARACTERS = 30;

    private final Talk talk;
    private final Session session;
    private final Evidence evidence;
    private final SortedMap<Integer, Line> wanted = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();

    TalkTrial(Talk talk, Session session, Evidence evidence) {
        this.talk = talk;
        this.session = session;
        this.evidence = evidence;
    }

    /** What is wrong. */
    List<String> run() {
        words();
        order();
        parts();
        rest();
        return wrong;
    }

    /** What the session has become, in order. */
    static List<Source> parts(Session session, Stored stored) {
        return stored.sources().values().stream()
                .filter(source ->
                        source.part() != null && source.part().session().equals(Ids.hex(session.id())))
                .sorted(Comparator.comparingInt(source -> part(source).first()))
                .toList();
    }

    private static Part part(Source source) {
        return Objects.requireNonNull(source.part());
    }

    /** Every message that was acknowledged is where it was said to be, and nothing else is there. */
    private void words() {
        for (var said : talk.said()) {
            for (int i = 0; i < said.lines().size(); i++) {
                var before = wanted.put(said.index() + i, said.lines().get(i));
                check(before == null, "two who spoke were told of the same place %d".formatted(said.index() + i));
            }
        }
        compare(session.messages(), "");
        compare(evidence.shown().messages().getOrDefault(talk, Map.of()), "the API shows that ");
        check(
                session.messageCount() == wanted.size(),
                "counts %d messages instead of %d".formatted(session.messageCount(), wanted.size()));
    }

    private void compare(Map<Integer, Line> found, String where) {
        wanted.forEach((index, line) -> {
            if (!line.equals(found.get(index))) {
                wrong.add("%smessage #%d is lost: %s; there is %s".formatted(where, index, line, found.get(index)));
            }
        });
        var seen = new HashSet<Line>();
        found.forEach((index, line) -> {
            check(seen.add(line), "%smessage #%d is there twice: %s".formatted(where, index, line));
            check(wanted.containsKey(index), "%smessage #%d was never acknowledged: %s".formatted(where, index, line));
        });
    }

    /** Who spoke after another was told that they had spoken stands behind them. */
    private void order() {
        long latest = Long.MIN_VALUE;
        for (var said : talk.said().stream()
                .sorted(Comparator.comparingInt(Said::index))
                .toList()) {
            check(said.ended() >= latest, "message #%d stands behind what was said later".formatted(said.index()));
            latest = Math.max(latest, said.began());
        }
    }

    /** Each message below the index is new in exactly one source, and each source has the windows that it must have. */
    private void parts() {
        int next = 0;
        for (var source : parts(session, evidence.stored())) {
            var part = part(source);
            check(part.first() >= next, "messages #%d–#%d are archived twice".formatted(part.first(), next - 1));
            check(part.first() <= next, "messages #%d–#%d are passed over".formatted(next, part.first() - 1));
            next = Math.max(next, part.end());
            check(source.isPublic() == session.isPublic(), source + " is shown to others than the session");
            new SourceTrial(source, evidence).run().forEach(what -> wrong.add(source + ": " + what));
            windows(source, part);
        }
        check(
                next == session.archived(),
                "is archived up to #%d, but its sources go up to #%d".formatted(session.archived(), next));
    }

    /** Messages that stand in a chunk together. */
    private record Window(@Nullable Span span, String text) {}

    private void windows(Source source, Part part) {
        var windows = new ArrayList<Window>();
        int from = Math.max(0, part.first() - OVERLAP);
        int to;
        do {
            to = Math.min(part.end(), from + WINDOW);
            windows.add(new Window(new Span(from, to - 1), text(from, to)));
            from += WINDOW - OVERLAP;
        } while (to < part.end());
        var found = source.chunks().stream()
                .map(chunk -> new Window(chunk.messages(), chunk.content()))
                .toList();
        check(found.equals(windows), "%s holds %s instead of %s".formatted(source, found, windows));
    }

    private String text(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(index -> wanted.getOrDefault(index, new Line("nobody", null, "nothing")))
                .map(line -> line.speaker() + ": " + line.content())
                .collect(Collectors.joining("\n\n"));
    }

    /** What is not archived says too little for that. */
    private void rest() {
        check(session.status().equals("archived"), "has fallen silent, and is " + session.status());
        var left = wanted.tailMap(session.archived()).values();
        int characters = left.stream().mapToInt(line -> line.content().length()).sum();
        check(
                characters < FEWEST_CHARACTERS
                        || left.stream().noneMatch(line -> line.role().equals("user")),
                "messages from #%d on are not archived".formatted(session.archived()));
    }

    private void check(boolean right, String complaint) {
        if (!right) {
            wrong.add(complaint);
        }
    }
}
