package io.hiroba.bench.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The people and posts that clients know of, and can like and answer. */
final class Board {

    private static final int MAX_POSTS = 200;

    private final List<Person> people;
    private final List<Person> celebrities;
    private final List<String> famous;
    private final List<String> posts = new ArrayList<>();
    private int blocks;
    private int departures;

    /** Those in {@code celebrities} stay, and so do their posts in {@code famous}. */
    Board(List<Person> people, List<Person> celebrities, List<String> famous) {
        this.people = new ArrayList<>(people);
        this.celebrities = List.copyOf(celebrities);
        this.famous = List.copyOf(famous);
        this.blocks = people.size() / 3;
        this.departures = people.size() / 10;
    }

    synchronized Person anybody(SplittableRandom random) {
        return people.get(random.nextInt(people.size()));
    }

    Person celebrity(SplittableRandom random) {
        return celebrities.get(random.nextInt(celebrities.size()));
    }

    String famousPost(SplittableRandom random) {
        return famous.get(random.nextInt(famous.size()));
    }

    synchronized String anyPost(SplittableRandom random) {
        return posts.isEmpty() ? famousPost(random) : posts.get(random.nextInt(posts.size()));
    }

    synchronized void add(String post) {
        posts.add(post);
        if (posts.size() > MAX_POSTS) {
            posts.removeFirst();
        }
    }

    synchronized void remove(String post) {
        posts.remove(post);
    }

    /** Whether one more may be blocked: if all were, nothing would happen any more. */
    synchronized boolean admitBlock() {
        return blocks-- > 0;
    }

    /** Whether one more may delete their account; celebrities may not. */
    synchronized boolean admitDeparture(Person person) {
        return !celebrities.contains(person) && departures-- > 0 && people.remove(person);
    }
}
