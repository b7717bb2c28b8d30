package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Person;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The acts of people and the answers they got. */
final class Memory {

    /** Those who talk do so mostly where others do, and there at the same time. */
    private static final int LIVELY = 5;

    private final List<Person> people;
    private final AtomicLong last = new AtomicLong();
    private final Map<Long, Holding> holdings = new ConcurrentHashMap<>();
    private final List<Talk> talks = new ArrayList<>();

    Memory(List<Person> people) {
        this.people = List.copyOf(people);
    }

    List<Person> people() {
        return people;
    }

    Person anybody(SplittableRandom random) {
        return people.get(random.nextInt(people.size()));
    }

    /** A number that no text had before. */
    long next() {
        return last.incrementAndGet();
    }

    void keep(Holding holding) {
        holdings.put(holding.id(), holding);
    }

    /** By their ids, those that were deleted too. */
    Map<Long, Holding> holdings() {
        return holdings;
    }

    /** A conversation to take part in: one of the latest, an old one, or a new one. */
    synchronized Talk anyTalk(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (talks.size() < LIVELY || dice < 8) {
            talks.add(new Talk(anybody(random), "thread:" + next()));
            return talks.getLast();
        }
        int from = dice < 75 ? talks.size() - LIVELY : 0;
        return talks.get(random.nextInt(from, talks.size()));
    }

    synchronized Collection<Talk> talks() {
        return List.copyOf(talks);
    }

    @Override
    public String toString() {
        return "%,d sources, %,d sessions".formatted(holdings.size(), talks().size());
    }
}
