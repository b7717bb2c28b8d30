package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.DatabaseState.Part;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Session;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Source;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Span;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Acknowledged;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
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

/** Checks one session: its messages, and the sources that they were archived as. */
final class SessionCheck {

    private static final int WINDOW = 5;
    private static final int OVERLAP = 2;
    private static final int MIN_CHARACTERS = 30;

    private final ExpectedSession expected;
    private final Session session;
    private final Observations observations;
    private final SortedMap<Integer, Message> expectedMessages = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();

    SessionCheck(ExpectedSession expected, Session session, Observations observations) {
        this.expected = expected;
        this.session = session;
        this.observations = observations;
    }

    /** Returns the violations. */
    List<String> run() {
        checkMessages();
        checkOrder();
        checkParts();
        checkArchived();
        return violations;
    }

    /** The sources of the session in order. */
    static List<Source> parts(Session session, DatabaseState database) {
        return database.sources().values().stream()
                .filter(source ->
                        source.part() != null && source.part().session().equals(Ids.hex(session.id())))
                .sorted(Comparator.comparingInt(source -> part(source).first()))
                .toList();
    }

    private static Part part(Source source) {
        return Objects.requireNonNull(source.part());
    }

    /** Every acknowledged message is at its index, and no other message exists. */
    private void checkMessages() {
        for (var acknowledged : expected.acknowledged()) {
            for (int i = 0; i < acknowledged.messages().size(); i++) {
                var before = expectedMessages.put(
                        acknowledged.index() + i, acknowledged.messages().get(i));
                check(before == null, "two requests were acknowledged at index %d".formatted(acknowledged.index() + i));
            }
        }
        compare(session.messages(), "");
        compare(observations.api().messages().getOrDefault(expected, Map.of()), "the API shows that ");
        check(
                session.messageCount() == expectedMessages.size(),
                "counts %d messages instead of %d".formatted(session.messageCount(), expectedMessages.size()));
    }

    private void compare(Map<Integer, Message> found, String where) {
        expectedMessages.forEach((index, message) -> {
            if (!message.equals(found.get(index))) {
                violations.add(
                        "%smessage #%d is lost: %s; there is %s".formatted(where, index, message, found.get(index)));
            }
        });
        var seen = new HashSet<Message>();
        found.forEach((index, message) -> {
            check(seen.add(message), "%smessage #%d is there twice: %s".formatted(where, index, message));
            check(
                    expectedMessages.containsKey(index),
                    "%smessage #%d was never acknowledged: %s".formatted(where, index, message));
        });
    }

    /** A request that was sent after another was acknowledged has a higher index. */
    private void checkOrder() {
        long latest = Long.MIN_VALUE;
        for (var acknowledged : expected.acknowledged().stream()
                .sorted(Comparator.comparingInt(Acknowledged::index))
                .toList()) {
            check(
                    acknowledged.ended() >= latest,
                    "message #%d comes after a later one".formatted(acknowledged.index()));
            latest = Math.max(latest, acknowledged.began());
        }
    }

    /** Each message below the archive position is new in exactly one source, and each source has the expected windows. */
    private void checkParts() {
        int next = 0;
        for (var source : parts(session, observations.database())) {
            var part = part(source);
            check(part.first() >= next, "messages #%d–#%d are archived twice".formatted(part.first(), next - 1));
            check(part.first() <= next, "messages #%d–#%d are passed over".formatted(next, part.first() - 1));
            next = Math.max(next, part.end());
            check(source.isPublic() == session.isPublic(), source + " and the session differ in visibility");
            new SourceCheck(source, observations).run().forEach(what -> violations.add(source + ": " + what));
            checkWindows(source, part);
        }
        check(
                next == session.archived(),
                "is archived up to #%d, but its sources go up to #%d".formatted(session.archived(), next));
    }

    /** The messages of a chunk. */
    private record Window(@Nullable Span span, String text) {}

    private void checkWindows(Source source, Part part) {
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
                .mapToObj(index -> expectedMessages.getOrDefault(index, new Message("nobody", null, "nothing")))
                .map(message -> message.speaker() + ": " + message.content())
                .collect(Collectors.joining("\n\n"));
    }

    /** Only messages with too little content stay unarchived. */
    private void checkArchived() {
        check(session.status().equals("archived"), "is idle, and is " + session.status());
        var left = expectedMessages.tailMap(session.archived()).values();
        int characters =
                left.stream().mapToInt(message -> message.content().length()).sum();
        check(
                characters < MIN_CHARACTERS
                        || left.stream().noneMatch(message -> message.role().equals("user")),
                "messages from #%d on are not archived".formatted(session.archived()));
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }
}
