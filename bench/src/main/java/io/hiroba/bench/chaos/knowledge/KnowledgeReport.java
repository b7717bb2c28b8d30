package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.DatabaseState.Chunk;
import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Session;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of checking all sources and sessions of a run against the clients' history and the calls to the service. */
record KnowledgeReport(Counts counts, List<Difference> differences) {

    /** A source or session with violations. */
    record Difference(String thing, List<String> what) {

        @Override
        public String toString() {
            return thing + "\n" + String.join("\n", what).indent(4);
        }
    }

    /**
     * The counts of a run.
     *
     * @param statuses the number of sources by status
     * @param dead the number of dead letters by defect
     * @param parts sources that sessions were archived as
     */
    record Counts(
            Map<String, Integer> statuses,
            long deleted,
            int chunks,
            Map<TextDefect, Integer> dead,
            int messages,
            int sessions,
            long parts) {

        @Override
        public String toString() {
            return "sources %s, deleted %,d; %,d chunks, of which dead letters %s; %,d messages in %,d sessions, archived in %,d parts"
                    .formatted(statuses, deleted, chunks, dead, messages, sessions, parts);
        }
    }

    static KnowledgeReport of(Observations observations) {
        var differences = new ArrayList<Difference>();
        checkSources(observations, differences);
        checkSessions(observations, differences);
        checkUnexpected(observations, differences);
        checkDeadLetters(observations, differences);
        return new KnowledgeReport(counts(observations), List.copyOf(differences));
    }

    private static void add(List<Difference> differences, Object thing, List<String> what) {
        if (!what.isEmpty()) {
            differences.add(new Difference(thing.toString(), List.copyOf(what)));
        }
    }

    private static void checkSources(Observations observations, List<Difference> differences) {
        for (var expected : observations.history().expectedSources().values()) {
            var source = observations.database().sources().get(expected.id());
            if (source == null) {
                add(differences, expected, expected.isDeleted() ? List.of() : List.of("is missing"));
            } else if (expected.isDeleted()) {
                add(
                        differences,
                        expected,
                        List.of("was deleted, and is there with %d passages"
                                .formatted(source.chunks().size())));
            } else {
                add(differences, expected, new SourceCheck(source, observations).run(expected));
            }
        }
    }

    private static void checkSessions(Observations observations, List<Difference> differences) {
        var sessions = observations.database().sessions().stream()
                .collect(Collectors.toMap(session -> name(session.owner(), session.key()), session -> session));
        for (var expected : observations.history().sessions()) {
            var session = sessions.remove(name(expected.owner().id(), expected.key()));
            if (session != null) {
                add(differences, expected, new SessionCheck(expected, session, observations).run());
            } else if (!expected.acknowledged().isEmpty()) {
                add(differences, expected, List.of("is missing, with all of its messages"));
            }
        }
        sessions.keySet().forEach(name -> add(differences, name, List.of("no client wrote there")));
    }

    private static String name(long owner, String key) {
        return "session %s of %s".formatted(key, Ids.hex(owner));
    }

    /** Sources that no client added, sources that only the API shows, and the number of spaces. */
    private static void checkUnexpected(Observations observations, List<Difference> differences) {
        var database = observations.database();
        var sessions =
                database.sessions().stream().map(Session::id).map(Ids::hex).collect(Collectors.toSet());
        for (var source : database.sources().values()) {
            boolean isKnown = source.part() == null
                    ? observations.history().expectedSources().containsKey(source.id())
                    : sessions.contains(source.part().session());
            add(differences, source, isKnown ? List.of() : List.of("nobody added it"));
        }
        var missing = new HashSet<>(observations.api().sources().keySet());
        missing.removeAll(database.sources().keySet());
        missing.forEach(id -> add(differences, "source " + Ids.hex(id), List.of("is shown, and is not there")));
        if (database.spaces() != 1) {
            add(differences, "spaces", List.of("there are %d instead of 1".formatted(database.spaces())));
        }
    }

    /** Owners see each dead letter and were notified once; it does not keep the content of deleted chunks. */
    private static void checkDeadLetters(Observations observations, List<Difference> differences) {
        var database = observations.database();
        var bySource = database.deadLetters().stream().collect(Collectors.groupingBy(DeadLetter::source));
        var sources = Stream.concat(bySource.keySet().stream(), database.deadLetterEvents().keySet().stream())
                .collect(Collectors.toCollection(HashSet::new));
        observations.api().deadLetters().forEach(deadLetter -> sources.add(deadLetter.source()));
        for (long id : sources) {
            var violations = new ArrayList<String>();
            var deadLetters = bySource.getOrDefault(id, List.of());
            var source = database.sources().get(id);
            List<Long> living = source == null
                    ? List.of()
                    : source.chunks().stream().map(Chunk::id).toList();
            deadLetters.stream()
                    .filter(deadLetter -> !living.contains(deadLetter.chunk())
                            && !deadLetter.content().isEmpty())
                    .forEach(deadLetter ->
                            violations.add("a dead letter repeats what was deleted: " + deadLetter.content()));
            int events = database.deadLetterEvents().getOrDefault(id, 0);
            if (events != deadLetters.size()) {
                violations.add(
                        "has %d dead letters, and its owner was notified of %d".formatted(deadLetters.size(), events));
            }
            var inApi = observations.api().deadLetters().stream()
                    .filter(deadLetter -> deadLetter.source() == id)
                    .toList();
            if (inApi.size() != deadLetters.size() || !new HashSet<>(inApi).equals(new HashSet<>(deadLetters))) {
                violations.add("has the dead letters %s, and the API shows %s".formatted(deadLetters, inApi));
            }
            add(differences, "dead letters of source " + Ids.hex(id), violations);
        }
    }

    private static Counts counts(Observations observations) {
        var database = observations.database();
        var statuses = new TreeMap<String, Integer>();
        var dead = new TreeMap<TextDefect, Integer>();
        int chunks = 0;
        for (var source : database.sources().values()) {
            int failed = 0;
            for (var chunk : source.chunks()) {
                if (!database.deadLettersOf(source.id(), chunk.id()).isEmpty()) {
                    failed++;
                    dead.merge(TextDefect.of(chunk.content()), 1, Integer::sum);
                }
            }
            chunks += source.chunks().size();
            int waiting = source.chunks().stream().mapToInt(Chunk::waiting).sum();
            statuses.merge(SourceCheck.status(source.chunks().size(), waiting, failed), 1, Integer::sum);
        }
        return new Counts(
                statuses,
                observations.history().expectedSources().values().stream()
                        .filter(ExpectedSource::isDeleted)
                        .count(),
                chunks,
                dead,
                database.sessions().stream().mapToInt(Session::messageCount).sum(),
                database.sessions().size(),
                database.sources().values().stream()
                        .map(DatabaseState.Source::part)
                        .filter(Objects::nonNull)
                        .count());
    }
}
