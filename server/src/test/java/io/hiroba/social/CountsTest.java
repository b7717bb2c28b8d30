package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.testkit.TestSocial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class CountsTest {

    private static final TestSocial social = new TestSocial();

    @AfterAll
    static void close() {
        social.close();
    }

    private static int likes(Caller reader, PostId post) {
        return social.posts.get(reader.user(), post).card().countLikes();
    }

    private static List<Caller> crowd(int size) {
        var people = new ArrayList<Caller>();
        for (int i = 0; i < size; i++) {
            people.add(social.person("fan " + i));
        }
        return people;
    }

    @Test
    void aCrowdIsCountedExactly() throws Exception {
        var ann = social.person("Ann");
        var post = social.post(ann, "viral");
        var crowd = crowd(64);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (var fan : crowd) {
                running.add(threads.submit(() -> {
                    social.likes.like(fan, post);
                    social.follows.follow(fan, ann.user());
                    if (fan.user().value() % 2 == 0) {
                        social.likes.unlike(fan, post);
                        social.likes.like(fan, post);
                    }
                }));
            }
            for (var each : running) {
                each.get();
            }
        }
        assertThat(likes(ann, post)).isEqualTo(64);
        assertThat(social.follows.relation(ann.user(), ann.user()).countFollowers())
                .isEqualTo(64);
    }

    /** Somebody's like is not committed yet: others do not wait for it, and the count is right before and after. */
    @Test
    void nobodyWaitsForACounter() throws Exception {
        var ann = social.person("Ann");
        var post = social.post(ann, "viral");
        var fans = crowd(3);
        social.likes.like(fans.get(0), post);
        await().until(() ->
                social.accounts.count("SELECT count(*) FROM social.post_counts WHERE post_id = " + post.value()) == 1);
        var held = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var slow = threads.submit(() -> social.db.useTransaction(tx -> {
                assertThat(tx.update("UPDATE social.post_counts SET count_likes = count_likes WHERE post_id = :post")
                                .bind("post", post.value())
                                .execute())
                        .isEqualTo(1);
                held.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
            held.await();
            social.likes.like(fans.get(1), post);
            social.likes.like(fans.get(2), post);
            assertThat(likes(ann, post)).isEqualTo(3);
            release.countDown();
            slow.get();
        }
        assertThat(likes(ann, post)).isEqualTo(3);
        await().until(() -> social.accounts.count("SELECT count(*) FROM social.post_count_changes") == 0);
        assertThat(likes(ann, post)).isEqualTo(3);
    }

    @Test
    void aDeletedAccountTakesItsLikesFollowsAndRepliesOutOfTheCounts() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "post");
        social.likes.like(bob, post);
        social.reply(bob, post, "reply");
        social.follows.follow(bob, ann.user());
        social.delete(bob.user());
        var card = social.posts.get(ann.user(), post).card();
        assertThat(card.countLikes()).isZero();
        assertThat(card.countReplies()).isZero();
        assertThat(social.follows.relation(ann.user(), ann.user()).countFollowers())
                .isZero();
        assertThat(social.follows.relation(ann.user(), ann.user()).countPosts()).isEqualTo(1);
    }

    @Test
    void theDatabaseItselfRefusesToFollowOrBlockOneself() {
        var ann = social.person("Ann").user().value();
        for (var insert : List.of(
                "INSERT INTO social.user_follows (follower_id, followee_id, created_at) VALUES (:ann, :ann, now())",
                "INSERT INTO social.user_blocks (blocker_id, blocked_id, created_at) VALUES (:ann, :ann, now())")) {
            assertThatThrownBy(() -> social.db.useTransaction(
                            tx -> tx.update(insert).bind("ann", ann).execute()))
                    .isInstanceOfSatisfying(
                            DbException.class,
                            e -> assertThat(SqlState.is(e, SqlState.CHECK_VIOLATION))
                                    .isTrue());
        }
    }
}
