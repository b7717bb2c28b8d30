package io.hiroba.bench.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The users and posts that clients choose from. */
final class SocialState {

    private static final int MAX_POSTS = 200;

    private final List<ChaosUser> users;
    private final List<ChaosUser> celebrities;
    private final List<String> popularPosts;
    private final List<String> posts = new ArrayList<>();
    private int blocks;
    private int deletions;

    /** Neither {@code celebrities} nor their {@code popularPosts} are deleted. */
    SocialState(List<ChaosUser> users, List<ChaosUser> celebrities, List<String> popularPosts) {
        this.users = new ArrayList<>(users);
        this.celebrities = List.copyOf(celebrities);
        this.popularPosts = List.copyOf(popularPosts);
        this.blocks = users.size() / 3;
        this.deletions = users.size() / 10;
    }

    synchronized ChaosUser anyUser(SplittableRandom random) {
        return users.get(random.nextInt(users.size()));
    }

    ChaosUser celebrity(SplittableRandom random) {
        return celebrities.get(random.nextInt(celebrities.size()));
    }

    String popularPost(SplittableRandom random) {
        return popularPosts.get(random.nextInt(popularPosts.size()));
    }

    synchronized String anyPost(SplittableRandom random) {
        return posts.isEmpty() ? popularPost(random) : posts.get(random.nextInt(posts.size()));
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

    /** Limits blocks: if everybody blocked everybody, no card would change any more. */
    synchronized boolean admitBlock() {
        return blocks-- > 0;
    }

    /** Limits account deletions; celebrities are never deleted. */
    synchronized boolean admitDeletion(ChaosUser user) {
        return !celebrities.contains(user) && deletions-- > 0 && users.remove(user);
    }
}
