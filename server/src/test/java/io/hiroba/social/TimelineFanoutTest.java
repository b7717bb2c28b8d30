package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.TestSocial;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TimelineFanoutTest {

    /** Small chunks, so that every step takes several. */
    private static final TestSocial social = new TestSocial(new TimelineFanout(2));

    @AfterAll
    static void close() {
        social.close();
    }

    private static List<PostId> feed(Caller reader) {
        social.settle();
        return social.lists.feed(reader.user(), Position.NEWEST, 100).stream()
                .map(listed -> listed.item().id())
                .toList();
    }

    /** Rows that are missing from the timelines, or too many in them. */
    private static int wrongRows() {
        return social.accounts.count("""
                WITH truth AS (
                    SELECT f.follower_id AS user_id, p.id AS post_id, p.owned_by
                    FROM social.user_follows f
                    JOIN social.posts p ON p.owned_by = f.followee_id AND p.reply_to IS NULL
                    UNION ALL
                    SELECT owned_by, id, owned_by FROM social.posts WHERE reply_to IS NULL),
                kept AS (SELECT user_id, post_id, owned_by FROM social.timelines)
                SELECT count(*) FROM (
                    (SELECT * FROM truth EXCEPT ALL SELECT * FROM kept)
                    UNION ALL
                    (SELECT * FROM kept EXCEPT ALL SELECT * FROM truth)) AS wrong
                """);
    }

    @Test
    void theFeedHoldsOnesOwnRootsAndThoseOfFollowees() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var before = List.of(social.post(bob, "1"), social.post(bob, "2"), social.post(bob, "3"));
        social.follows.follow(ann, bob.user());
        var own = social.post(ann, "mine");
        var after = social.post(bob, "4");
        social.reply(bob, own, "a reply is not in the feed");
        social.post(social.person("Carl"), "nobody follows me");
        assertThat(feed(ann)).containsExactly(after, own, before.get(2), before.get(1), before.get(0));
        assertThat(feed(bob)).containsExactly(after, before.get(2), before.get(1), before.get(0));
        social.follows.unfollow(ann, bob.user());
        assertThat(feed(ann)).containsExactly(own);
        assertThat(wrongRows()).isZero();
    }

    @Test
    void onesOwnPostIsThereAtOnce() {
        var ann = social.person("Ann");
        var post = social.post(ann, "now");
        assertThat(social.lists
                        .feed(ann.user(), Position.NEWEST, 1)
                        .getFirst()
                        .item()
                        .id())
                .isEqualTo(post);
    }

    @Test
    void aReplyWhoseParentIsDeletedComesIntoTheFeeds() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        social.follows.follow(ann, bob.user());
        var post = social.post(ann, "parent");
        var reply = social.reply(bob, post, "reply");
        assertThat(feed(ann)).containsExactly(post);
        social.posts.delete(ann, post);
        assertThat(feed(ann)).containsExactly(reply);
    }

    @Test
    void aDeletedAccountLeavesNothingBehind() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        social.follows.follow(ann, bob.user());
        social.follows.follow(bob, ann.user());
        for (int i = 0; i < 5; i++) {
            social.post(bob, "post " + i);
        }
        assertThat(feed(ann)).hasSize(5);
        social.delete(bob.user());
        assertThat(feed(ann)).isEmpty();
        assertThat(wrongRows()).isZero();
    }

    /** Several people act at once on the same few; afterwards every feed holds what a fresh look would put into it. */
    @Test
    void whateverHappensAtOnceTheFeedsComeOutRight() throws Exception {
        long seed = new Random().nextLong();
        var people = new ArrayList<Caller>();
        for (int i = 0; i < 6; i++) {
            people.add(social.person("person " + i));
        }
        var posts = new CopyOnWriteArrayList<PostId>();
        posts.add(social.post(people.getFirst(), "first"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (int i = 0; i < 6; i++) {
                var random = new Random(seed + i);
                var me = people.get(i);
                running.add(threads.submit(() -> {
                    for (int n = 0; n < 60; n++) {
                        act(random, me, people, posts);
                    }
                }));
            }
            for (var each : running) {
                each.get();
            }
        }
        // A delivery under way may still write to a reader whose account goes at that moment; nobody ever reads it.
        social.settle();
        social.delete(people.getFirst().user());
        social.settle();
        assertThat(wrongRows()).as("with seed " + seed).isZero();
        assertThat(wrongCounts()).as("with seed " + seed).isZero();
    }

    private static void act(Random random, Caller me, List<Caller> people, List<PostId> posts) {
        var other = people.get(random.nextInt(people.size())).user();
        var post = posts.get(random.nextInt(posts.size()));
        try {
            switch (random.nextInt(8)) {
                case 0, 1 -> social.follows.follow(me, other);
                case 2 -> social.follows.unfollow(me, other);
                case 3 -> social.posts.delete(me, post);
                case 4 -> posts.add(social.reply(me, post, "reply"));
                case 5 -> social.likes.like(me, post);
                case 6 -> social.likes.unlike(me, post);
                default -> posts.add(social.post(me, "post"));
            }
        } catch (Problem expected) {
            // Not every act is possible at every moment; what matters is what the possible ones left.
            assertThat(expected.code()).matches("social\\.[a-z-]+|accounts\\.not-yours");
        }
    }

    private static int wrongCounts() {
        return social.accounts.count("""
                SELECT (SELECT count(*) FROM social.post_totals t
                        WHERE count_likes <> (SELECT count(*) FROM social.post_likes l WHERE l.post_id = t.post_id)
                           OR count_replies <> (SELECT count(*) FROM social.posts r WHERE r.reply_to = t.post_id))
                     + (SELECT count(*) FROM social.user_totals t
                        WHERE count_followers <> (SELECT count(*) FROM social.user_follows f WHERE f.followee_id = t.user_id)
                           OR count_followees <> (SELECT count(*) FROM social.user_follows f WHERE f.follower_id = t.user_id)
                           OR count_posts <> (SELECT count(*) FROM social.posts p WHERE p.owned_by = t.user_id))
                """);
    }
}
