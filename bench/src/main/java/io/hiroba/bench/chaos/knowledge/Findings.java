package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.Stored.Chunk;
import io.hiroba.bench.chaos.knowledge.Stored.Letter;
import io.hiroba.bench.chaos.knowledge.Stored.Session;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All sources and sessions of a run, held against what people were told and what the service was asked. */
record Findings(Counts counts, List<Difference> differences) {

    /** A state that is not what it must be. */
    record Difference(String thing, List<String> what) {

        @Override
        public String toString() {
            return thing + "\n" + String.join("\n", what).indent(4);
        }
    }

    /**
     * The counts of a run.
     *
     * @param statuses of how many sources
     * @param dead chunks that are dead letters, by what is wrong with them
     * @param parts sources that were made of sessions
     */
    record Counts(
            Map<String, Integer> statuses,
            long deleted,
            int chunks,
            Map<Flaw, Integer> dead,
            int messages,
            int sessions,
            long parts) {

        @Override
        public String toString() {
            return "sources %s, deleted %,d; %,d chunks, of which dead letters %s; %,d messages in %,d sessions, archived in %,d parts"
                    .formatted(statuses, deleted, chunks, dead, messages, sessions, parts);
        }
    }

    static Findings of(Evidence evidence) {
        var differences = new ArrayList<Difference>();
        holdings(evidence, differences);
        talks(evidence, differences);
        strangers(evidence, differences);
        letters(evidence, differences);
        return new Findings(counts(evidence), List.copyOf(differences));
    }

    private static void add(List<Difference> differences, Object thing, List<String> what) {
        if (!what.isEmpty()) {
            differences.add(new Difference(thing.toString(), List.copyOf(what)));
        }
    }

    private static void holdings(Evidence evidence, List<Difference> differences) {
        for (var holding : evidence.memory().holdings().values()) {
            var source = evidence.stored().sources().get(holding.id());
            if (source == null) {
                add(differences, holding, holding.isDeleted() ? List.of() : List.of("is gone"));
            } else if (holding.isDeleted()) {
                add(
                        differences,
                        holding,
                        List.of("was deleted, and is there with %d passages"
                                .formatted(source.chunks().size())));
            } else {
                add(differences, holding, new SourceTrial(source, evidence).run(holding));
            }
        }
    }

    private static void talks(Evidence evidence, List<Difference> differences) {
        var sessions = evidence.stored().sessions().stream()
                .collect(Collectors.toMap(session -> name(session.owner(), session.key()), session -> session));
        for (var talk : evidence.memory().talks()) {
            var session = sessions.remove(name(talk.owner().id(), talk.key()));
            if (session != null) {
                add(differences, talk, new TalkTrial(talk, session, evidence).run());
            } else if (!talk.said().isEmpty()) {
                add(differences, talk, List.of("is gone, with all that was said in it"));
            }
        }
        sessions.keySet().forEach(name -> add(differences, name, List.of("nobody ever spoke there")));
    }

    private static String name(long owner, String key) {
        return "session %s of %s".formatted(key, Ids.hex(owner));
    }

    /** Sources that nobody asked for, and spaces; and what the API shows without there being any. */
    private static void strangers(Evidence evidence, List<Difference> differences) {
        var stored = evidence.stored();
        var sessions = stored.sessions().stream().map(Session::id).map(Ids::hex).collect(Collectors.toSet());
        for (var source : stored.sources().values()) {
            boolean isKnown = source.part() == null
                    ? evidence.memory().holdings().containsKey(source.id())
                    : sessions.contains(source.part().session());
            add(differences, source, isKnown ? List.of() : List.of("nobody added it"));
        }
        var ghosts = new HashSet<>(evidence.shown().sources().keySet());
        ghosts.removeAll(stored.sources().keySet());
        ghosts.forEach(id -> add(differences, "source " + Ids.hex(id), List.of("is shown, and is not there")));
        if (stored.spaces() != 1) {
            add(differences, "spaces", List.of("there are %d instead of 1".formatted(stored.spaces())));
        }
    }

    /** Owners see each dead letter and were told of it once; of what is gone it does not repeat a word. */
    private static void letters(Evidence evidence, List<Difference> differences) {
        var stored = evidence.stored();
        var bySource = stored.letters().stream().collect(Collectors.groupingBy(Letter::source));
        var sources = Stream.concat(bySource.keySet().stream(), stored.told().keySet().stream())
                .collect(Collectors.toCollection(HashSet::new));
        evidence.shown().letters().forEach(letter -> sources.add(letter.source()));
        for (long id : sources) {
            var wrong = new ArrayList<String>();
            var letters = bySource.getOrDefault(id, List.of());
            var source = stored.sources().get(id);
            List<Long> living = source == null
                    ? List.of()
                    : source.chunks().stream().map(Chunk::id).toList();
            letters.stream()
                    .filter(letter -> !living.contains(letter.chunk())
                            && !letter.content().isEmpty())
                    .forEach(letter -> wrong.add("a dead letter repeats what was deleted: " + letter.content()));
            int told = stored.told().getOrDefault(id, 0);
            if (told != letters.size()) {
                wrong.add("has %d dead letters, and its owner was told of %d".formatted(letters.size(), told));
            }
            var shown = evidence.shown().letters().stream()
                    .filter(letter -> letter.source() == id)
                    .toList();
            if (shown.size() != letters.size() || !new HashSet<>(shown).equals(new HashSet<>(letters))) {
                wrong.add("has the dead letters %s, and the API shows %s".formatted(letters, shown));
            }
            add(differences, "dead letters of source " + Ids.hex(id), wrong);
        }
    }

    private static Counts counts(Evidence evidence) {
        var stored = evidence.stored();
        var statuses = new TreeMap<String, Integer>();
        var dead = new TreeMap<Flaw, Integer>();
        int chunks = 0;
        for (var source : stored.sources().values()) {
            int buried = 0;
            for (var chunk : source.chunks()) {
                if (!stored.lettersOf(source.id(), chunk.id()).isEmpty()) {
                    buried++;
                    dead.merge(Flaw.of(chunk.content()), 1, Integer::sum);
                }
            }
            chunks += source.chunks().size();
            int waiting = source.chunks().stream().mapToInt(Chunk::waiting).sum();
            statuses.merge(SourceTrial.status(source.chunks().size(), waiting, buried), 1, Integer::sum);
        }
        return new Counts(
                statuses,
                evidence.memory().holdings().values().stream()
                        .filter(Holding::isDeleted)
                        .count(),
                chunks,
                dead,
                stored.sessions().stream().mapToInt(Session::messageCount).sum(),
                stored.sessions().size(),
                stored.sources().values().stream()
                        .map(Stored.Source::part)
                        .filter(Objects::nonNull)
                        .count());
    }
}
