package io.hiroba.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** Generates the acts of the demo in the order of time, the same for the same present. */
final class DemoTimeline {

    /** The name of the admin among the people. */
    static final String ADMIN = "admin";

    private static final long SEED = 20_251;
    private static final Duration MIN_AGE = Duration.ofMinutes(1);

    private final SplittableRandom chance = new SplittableRandom(SEED);
    private final DemoPeople people;
    private final Instant present;
    private final List<DemoAct> acts = new ArrayList<>();
    private final Map<String, Instant> joined = new HashMap<>();

    private DemoTimeline(DemoPeople people, Instant present) {
        this.people = people;
        this.present = present;
    }

    static List<DemoAct> of(DemoPeople people, Instant present) {
        var timeline = new DemoTimeline(people, present);
        timeline.join();
        timeline.follow();
        for (var entry : DemoThreads.read(people, present)) {
            timeline.write(entry);
        }
        // A stable sort: acts of one time stay in the order of the script.
        timeline.acts.sort(Comparator.comparing(DemoAct::at));
        timeline.meetTheAdmin();
        return List.copyOf(timeline.acts);
    }

    private void join() {
        for (var person : people.people()) {
            var at = present.minus(Duration.ofDays(person.joined())).minusSeconds(chance.nextLong(40_000));
            joined.put(person.name(), at);
            acts.add(new DemoAct.Join(at, person));
            acts.add(new DemoAct.Introduce(at.plusSeconds(240), person));
        }
    }

    private void follow() {
        for (var follower : people.people()) {
            for (var followee : people.people()) {
                double likelihood = follower.shares(followee) ? 0.6 : 0.05;
                if (!follower.equals(followee) && chance.nextDouble() < likelihood) {
                    var met = later(joined(follower), joined(followee));
                    var at = met.plusSeconds(600 + chance.nextLong(6 * 86_400));
                    acts.add(new DemoAct.Follow(clampToPast(at), follower.name(), followee.name()));
                }
            }
        }
    }

    private Instant joined(DemoPerson person) {
        return Objects.requireNonNull(joined.get(person.name()));
    }

    private void write(DemoPost entry) {
        acts.add(new DemoAct.Write(entry.at(), entry));
        var correction = entry.correction();
        if (correction != null) {
            acts.add(new DemoAct.Edit(clampToPast(entry.at().plus(correction.after())), entry, correction.content()));
        }
        var author = people.person(entry.author());
        var readers = new ArrayList<Reader>();
        for (var person : people.people()) {
            boolean there = joined(person).isBefore(entry.at());
            double interest = chance.nextDouble() + (author.shares(person) ? 0.5 : 0);
            if (there && !person.equals(author) && person.model() == null) {
                readers.add(new Reader(person.name(), interest));
            }
        }
        int likes = Math.min(popularity(entry), readers.size());
        readers.sort(Comparator.comparingDouble(Reader::interest).reversed());
        for (var reader : readers.subList(0, likes)) {
            var at = entry.at().plusSeconds(60 + (long) (100_000 * Math.pow(chance.nextDouble(), 4)));
            acts.add(new DemoAct.Like(clampToPast(at), reader.name(), entry.name()));
        }
    }

    private record Reader(String name, double interest) {}

    /** Most posts please a few people, and a few please many; replies please fewer. */
    private int popularity(DemoPost entry) {
        double luck = Math.pow(chance.nextDouble(), 3);
        int drawn = (int) Math.round(luck * (entry.replyTo() == null ? 16 : 7));
        return entry.likes() < 0 ? drawn : entry.likes();
    }

    /** The admin joins last. */
    private void meetTheAdmin() {
        for (var name : people.welcomed()) {
            acts.add(new DemoAct.Follow(present, ADMIN, name));
        }
        for (var name : people.welcomed().subList(0, people.welcomed().size() / 2)) {
            acts.add(new DemoAct.Follow(present, name, ADMIN));
        }
    }

    private Instant clampToPast(Instant moment) {
        var last = present.minus(MIN_AGE);
        return moment.isAfter(last) ? last : moment;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
