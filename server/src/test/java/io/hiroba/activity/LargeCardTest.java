package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestActivity;
import io.hiroba.testkit.TestSocial;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many who act at once, on one post or on each other's. */
@Tag("slow")
class LargeCardTest {

    private static final TestActivity activity = new TestActivity();
    private static final TestSocial social = activity.social;

    @AfterAll
    static void close() {
        activity.close();
    }

    @Test
    void aCardOfThousandsIsExact() {
        var ann = social.person("Ann");
        var post = social.post(ann, "Viral");
        social.db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    SELECT (1700000000000 + n) << 20, 'crowd' || n || '@example.org', 'crowd', 'x', false, '[]'
                    FROM generate_series(1::bigint, 5000) n
                    """).execute();
            tx.update("""
                    INSERT INTO social.post_likes (post_id, liked_by, created_at)
                    SELECT :post, (1700000000000 + n) << 20, now() - n * interval '1 microsecond'
                    FROM generate_series(1::bigint, 5000) n
                    """).bind("post", post.value()).execute();
            tx.query("""
                            SELECT platform.append_events(
                                array_agg(platform.event_partition(:owner)),
                                array_agg(jsonb_build_object(
                                    'type', 'like', 'postId', social.hex(post_id), 'ownerId', social.hex(:owner),
                                    'userId', social.hex(liked_by),
                                    'ts', floor(extract(epoch FROM created_at) * 1000))))
                            FROM social.post_likes WHERE post_id = :post
                            """)
                    .bind("owner", ann.user().value())
                    .bind("post", post.value())
                    .mapTo(String.class)
                    .list();
        });
        social.likes.like(social.person("Bob"), post);
        var card = activity.cards(ann.user()).getFirst();
        assertThat(card.payload()).contains("\"countUsers\": 5001");
        assertThat(activity.differences()).isEmpty();
        // A hundred of them go, with all that is theirs.
        social.db.useTransaction(tx -> tx.update("""
                DELETE FROM accounts.users WHERE id >> 20 BETWEEN 1700000000001 AND 1700000000100
                """).execute());
        assertThat(activity.cards(ann.user()).getFirst().payload()).contains("\"countUsers\": 4901");
        assertThat(activity.differences()).isEmpty();
    }

    @Test
    void cardsAreExactAfterManyActedAtOnce() throws Exception {
        var people =
                IntStream.range(0, 16).mapToObj(n -> social.person("P" + n)).toList();
        var posts = new CopyOnWriteArrayList<PostId>();
        people.subList(0, 4).forEach(owner -> posts.add(social.post(owner, "Hello")));
        long seed = new Random().nextLong();
        try (var threads = Executors.newFixedThreadPool(6)) {
            var running = IntStream.range(0, 6)
                    .mapToObj(n -> threads.submit(() -> act(new Random(seed + n), people, posts)))
                    .toList();
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("seed " + seed, e);
        }
        assertThat(activity.differences()).as("seed " + seed).isEmpty();
    }

    private static void act(Random random, List<Caller> people, List<PostId> posts) {
        for (int n = 0; n < 120; n++) {
            var one = people.get(random.nextInt(people.size()));
            var other = people.get(random.nextInt(people.size()));
            var post = posts.get(random.nextInt(posts.size()));
            try {
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> social.likes.like(one, post);
                    case 3 -> social.likes.unlike(one, post);
                    case 4 -> social.follows.follow(one, other.user());
                    case 5 -> social.follows.unfollow(one, other.user());
                    case 6 -> posts.add(social.reply(one, post, "Hi"));
                    default -> {
                        if (random.nextInt(4) == 0) {
                            social.posts.delete(one, post);
                        }
                    }
                }
            } catch (Problem e) {
                // Already done, not there any more, or somebody else's: as it may be.
                assertThat(e.kind().status()).isBetween(400, 409);
            }
        }
    }
}
