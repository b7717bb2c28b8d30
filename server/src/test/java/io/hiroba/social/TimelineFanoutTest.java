package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.TimelineWindows.TimelineLimits;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TimelineFanoutTest {

    /** Small, so that a few posts and people pass every one of them. */
    private static final TimelineLimits LIMITS = new TimelineLimits(4, 3, 1, Duration.ofDays(30));

    /** Small chunks, so that every step takes several. */
    private static final TestSocial social = new TestSocial(new TimelineFanout(LIMITS, 2), LIMITS);

    /** Another node's, to whom everybody is away. */
    private static final TimelineWindows strict =
            new TimelineWindows(social.db, Clock.systemUTC(), new TimelineLimits(4, 3, 1, Duration.ofDays(-1)));

    @AfterAll
    static void close() {
        social.close();
    }

    private static List<PostId> feed(Caller reader) {
        social.settle();
        return paged(reader);
    }

    /** The feed in pages of three, as it is now. */
    private static List<PostId> paged(Caller reader) {
        var ids = new ArrayList<PostId>();
        var after = Position.NEWEST;
        while (true) {
            var page = social.lists.feed(reader.user(), after, 3);
            page.forEach(listed -> ids.add(listed.item().id()));
            if (page.size() < 3) {
                return ids;
            }
            after = page.getLast().position();
        }
    }

    /** The feed as it is defined. */
    private static List<PostId> defined(Caller reader) {
        return social.db.read(reads -> reads.query("""
                        SELECT p.id FROM social.posts p
                        WHERE p.reply_to IS NULL
                          AND (p.owned_by = :reader
                               OR p.owned_by IN (SELECT followee_id FROM social.user_follows WHERE follower_id = :reader))
                        ORDER BY p.id DESC
                        """)
                .bind("reader", reader.user().value())
                .map(row -> new PostId(row.getLong("id")))
                .list());
    }

    /**
     * Rows that are missing from the timelines within their windows, or too many; and authors pulled for no reason. What is
     * left of a deleted account shows nothing and goes when the timeline is next built.
     */
    private static int wrongRows() {
        return social.accounts.count("""
                WITH truth AS (
                    SELECT w.user_id, p.id
                    FROM social.timeline_windows w
                    JOIN social.user_follows f ON f.follower_id = w.user_id
                    JOIN social.posts p ON p.owned_by = f.followee_id AND p.reply_to IS NULL
                    WHERE p.id >= w.floor AND p.owned_by <> ALL (w.pulled)),
                kept AS (
                    SELECT w.user_id, p.id
                    FROM social.timeline_windows w
                    JOIN social.timelines t ON t.user_id = w.user_id
                    JOIN social.posts p ON p.id = t.post_id
                    WHERE t.post_id >= w.floor AND t.owned_by <> ALL (w.pulled))
                SELECT count(*) FROM (
                    (SELECT * FROM truth EXCEPT ALL SELECT * FROM kept)
                    UNION ALL
                    (SELECT * FROM kept EXCEPT ALL SELECT * FROM truth)
                    UNION ALL
                    SELECT w.user_id, a.id FROM social.timeline_windows w, unnest(w.pulled) AS a (id)
                    JOIN accounts.user_card u ON u.id = a.id
                    WHERE a.id <> w.user_id
                      AND NOT EXISTS (SELECT FROM social.user_follows f
                                      WHERE f.follower_id = w.user_id AND f.followee_id = a.id)) AS wrong
                """);
    }

    private static int rows(Caller reader) {
        return social.accounts.count("SELECT count(*) FROM social.timelines WHERE user_id = "
                + reader.user().value());
    }

    private static int pulled(Caller reader) {
        return social.accounts.count("SELECT cardinality(pulled) FROM social.timeline_windows WHERE user_id = "
                + reader.user().value());
    }

    private static void rollUp() {
        social.db.useTransaction(tx -> new PostStore().rollUpCounts(tx, 500));
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
        assertThat(paged(ann)).containsExactly(post);
        social.windows.build(ann.user());
        var next = social.post(ann, "and now");
        assertThat(paged(ann)).containsExactly(next, post);
    }

    @Test
    void aTimelineKeepsTheNewestAndTheFeedGoesOnBelowIt() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var carl = social.person("Carl");
        social.follows.follow(ann, bob.user());
        social.follows.follow(ann, carl.user());
        for (int i = 0; i < 6; i++) {
            social.post(bob, "bob " + i);
            social.post(carl, "carl " + i);
        }
        social.settle();
        social.windows.build(ann.user());
        assertThat(rows(ann)).isEqualTo(5);
        assertThat(feed(ann)).hasSize(12).isEqualTo(defined(ann));
        for (int i = 0; i < 6; i++) {
            social.post(bob, "more " + i);
        }
        social.settle();
        assertThat(rows(ann)).isEqualTo(11);
        social.windows.sweep();
        assertThat(rows(ann)).isEqualTo(5);
        assertThat(feed(ann)).hasSize(18).isEqualTo(defined(ann));
        assertThat(wrongRows()).isZero();
    }

    @Test
    void followingSomebodyWithMorePostsThanATimelineHoldsRaisesItsFloor() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        for (int i = 0; i < 9; i++) {
            social.post(bob, "post " + i);
        }
        social.settle();
        social.windows.build(ann.user());
        social.follows.follow(ann, bob.user());
        assertThat(feed(ann)).hasSize(9).isEqualTo(defined(ann));
        assertThat(rows(ann)).isEqualTo(5);
        assertThat(wrongRows()).isZero();
        social.follows.unfollow(ann, bob.user());
        assertThat(feed(ann)).isEmpty();
        assertThat(rows(ann)).isZero();
    }

    @Test
    void thePostsOfSomebodyWithManyFollowersAreInTheFeedAndNotInTheTimeline() {
        var star = social.person("Star");
        var fans = List.of(social.person("Ann"), social.person("Bob"), social.person("Carl"));
        var ann = fans.getFirst();
        social.post(star, "before");
        social.follows.follow(ann, star.user());
        social.windows.build(ann.user());
        assertThat(rows(ann)).isEqualTo(1);
        fans.forEach(fan -> {
            if (!fan.equals(ann)) {
                social.follows.follow(fan, star.user());
            }
        });
        social.settle();
        rollUp();
        social.post(star, "with many followers, in a timeline from before");
        assertThat(feed(ann)).hasSize(2).isEqualTo(defined(ann));
        assertThat(rows(ann)).isEqualTo(2);
        social.windows.build(ann.user());
        social.post(star, "pulled");
        assertThat(feed(ann)).hasSize(3).isEqualTo(defined(ann));
        assertThat(rows(ann)).isZero();
        social.follows.unfollow(fans.get(1), star.user());
        social.settle();
        rollUp();
        social.post(star, "with few followers, still pulled");
        assertThat(feed(ann)).hasSize(4).isEqualTo(defined(ann));
        social.windows.build(ann.user());
        social.post(star, "written again");
        assertThat(feed(ann)).hasSize(5).isEqualTo(defined(ann));
        assertThat(rows(ann)).isEqualTo(5);
        social.follows.unfollow(ann, star.user());
        assertThat(feed(ann)).isEmpty();
    }

    @Test
    void whoStaysAwayHasNoTimelineUntilTheyComeBack() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        social.follows.follow(ann, bob.user());
        social.post(bob, "one");
        social.settle();
        social.windows.build(ann.user());
        assertThat(rows(ann)).isEqualTo(1);
        strict.sweep();
        assertThat(rows(ann)).isZero();
        social.post(bob, "two");
        social.settle();
        assertThat(rows(ann)).isZero();
        assertThat(paged(ann)).hasSize(2).isEqualTo(defined(ann));
        Awaitility.await().until(() -> rows(ann) == 2);
        social.post(bob, "three");
        assertThat(feed(ann)).hasSize(3).isEqualTo(defined(ann));
        assertThat(rows(ann)).isEqualTo(3);
    }

    /** What timelines hold changes all the time; what the feed shows does not. */
    @Test
    void aFeedPagesExactlyWhileItsTimelineIsBuiltAndDroppedByTwoNodes() throws Exception {
        var ann = social.person("Ann");
        var authors = List.of(social.person("Bob"), social.person("Carl"), social.person("Dan"));
        authors.forEach(author -> social.follows.follow(ann, author.user()));
        for (int i = 0; i < 12; i++) {
            social.post(authors.get(i % 3), "post " + i);
        }
        social.settle();
        var defined = defined(ann);
        var done = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var building = threads.submit(() -> {
                while (!done.get()) {
                    social.windows.build(ann.user());
                    strict.build(ann.user());
                }
            });
            var dropping = threads.submit(() -> {
                while (!done.get()) {
                    strict.sweep();
                }
            });
            try {
                for (int i = 0; i < 100; i++) {
                    assertThat(paged(ann)).isEqualTo(defined);
                }
            } finally {
                done.set(true);
            }
            building.get();
            dropping.get();
        }
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

    /** No event tells of each follow that ends with the followee's account. */
    @Test
    void aDeletedAccountIsPulledWithoutEffectUntilTheTimelineIsNextBuilt() {
        var star = social.person("Star");
        var ann = social.person("Ann");
        for (var fan : List.of(ann, social.person("Bob"), social.person("Carl"))) {
            social.follows.follow(fan, star.user());
        }
        social.post(star, "pulled");
        rollUp();
        // Counts that are just being rolled up in the background are skipped.
        Awaitility.await().until(() -> {
            social.windows.build(ann.user());
            return pulled(ann) == 2;
        });
        social.delete(star.user());
        assertThat(feed(ann)).isEmpty();
        assertThat(wrongRows()).isZero();
        social.windows.build(ann.user());
        assertThat(pulled(ann)).isEqualTo(1);
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
        for (var person : people.subList(1, people.size())) {
            assertThat(paged(person)).as("with seed " + seed).isEqualTo(defined(person));
        }
        assertThat(wrongCounts()).as("with seed " + seed).isZero();
    }

    private static void act(Random random, Caller me, List<Caller> people, List<PostId> posts) {
        var other = people.get(random.nextInt(people.size())).user();
        var post = posts.get(random.nextInt(posts.size()));
        try {
            switch (random.nextInt(13)) {
                case 0, 1 -> social.follows.follow(me, other);
                case 2 -> social.follows.unfollow(me, other);
                case 3 -> social.posts.delete(me, post);
                case 4 -> posts.add(social.reply(me, post, "reply"));
                case 5 -> social.likes.like(me, post);
                case 6 -> social.likes.unlike(me, post);
                case 7 -> paged(me);
                case 8 -> rollUp();
                case 9 -> strict.build(other);
                case 10 -> (random.nextInt(4) == 0 ? strict : social.windows).sweep();
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
