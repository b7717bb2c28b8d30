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

/** All that happens in the community, in the order of time, the same for the same present. */
final class Story {

    /** By which the admin goes among the others. */
    static final String ADMIN = "admin";

    private static final long SEED = 20_251;
    private static final Duration LATEST = Duration.ofMinutes(1);

    private final SplittableRandom chance = new SplittableRandom(SEED);
    private final Cast cast;
    private final Instant present;
    private final List<Act> acts = new ArrayList<>();
    private final Map<String, Instant> joined = new HashMap<>();

    private Story(Cast cast, Instant present) {
        this.cast = cast;
        this.present = present;
    }

    static List<Act> of(Cast cast, Instant present) {
        var story = new Story(cast, present);
        story.join();
        story.follow();
        for (var entry : Threads.read(cast, present)) {
            story.write(entry);
        }
        // A stable sort: of two acts of one moment, the one told first comes first.
        story.acts.sort(Comparator.comparing(Act::at));
        story.meetTheAdmin();
        return List.copyOf(story.acts);
    }

    private void join() {
        for (var person : cast.people()) {
            var at = present.minus(Duration.ofDays(person.joined())).minusSeconds(chance.nextLong(40_000));
            joined.put(person.name(), at);
            acts.add(new Act.Join(at, person));
            acts.add(new Act.Present(at.plusSeconds(240), person));
        }
    }

    private void follow() {
        for (var follower : cast.people()) {
            for (var followee : cast.people()) {
                double likelihood = follower.shares(followee) ? 0.6 : 0.05;
                if (!follower.equals(followee) && chance.nextDouble() < likelihood) {
                    var met = later(joined(follower), joined(followee));
                    var at = met.plusSeconds(600 + chance.nextLong(6 * 86_400));
                    acts.add(new Act.Follow(notYet(at), follower.name(), followee.name()));
                }
            }
        }
    }

    private Instant joined(Person person) {
        return Objects.requireNonNull(joined.get(person.name()));
    }

    private void write(Entry entry) {
        acts.add(new Act.Write(entry.at(), entry));
        var correction = entry.correction();
        if (correction != null) {
            acts.add(new Act.Correct(notYet(entry.at().plus(correction.after())), entry, correction.content()));
        }
        var author = cast.person(entry.author());
        var readers = new ArrayList<Reader>();
        for (var person : cast.people()) {
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
            acts.add(new Act.Like(notYet(at), reader.name(), entry.name()));
        }
    }

    private record Reader(String name, double interest) {}

    /** Most posts please a few people, and a few please many; replies please fewer. */
    private int popularity(Entry entry) {
        double luck = Math.pow(chance.nextDouble(), 3);
        int drawn = (int) Math.round(luck * (entry.replyTo() == null ? 16 : 7));
        return entry.likes() < 0 ? drawn : entry.likes();
    }

    /** The admin came only now, so this is the end of the story. */
    private void meetTheAdmin() {
        for (var name : cast.welcomed()) {
            acts.add(new Act.Follow(present, ADMIN, name));
        }
        for (var name : cast.welcomed().subList(0, cast.welcomed().size() / 2)) {
            acts.add(new Act.Follow(present, name, ADMIN));
        }
    }

    private Instant notYet(Instant moment) {
        var last = present.minus(LATEST);
        return moment.isAfter(last) ? last : moment;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
