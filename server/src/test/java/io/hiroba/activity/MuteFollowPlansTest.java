package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.social.Position;
import io.hiroba.testkit.LargeSquare;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lists of what is muted and followed are walks along an index too. */
@Tag("slow")
class MuteFollowPlansTest {

    private static final int LIMIT = 21;
    private static final UserId READER = new UserId(LargeSquare.FOLLOWER);
    private static final Set<String> LARGE = Set.of("muted_posts", "muted_people", "followed_posts", "posts", "users");

    private static final TestDatabase database = LargeSquare.create();

    /** One reader who muted 5,000 people and 20,000 posts, and follows as many. */
    @BeforeAll
    static void fill() {
        database.db().useTransaction(tx -> {
            for (var sql : List.of("""
                    INSERT INTO activity.muted_people (user_id, person_id, created_at)
                    SELECT :reader, id, created_at FROM accounts.users WHERE id <> :reader
                    """, """
                    INSERT INTO activity.muted_posts (user_id, post_id, owner_id, likes, replies, created_at)
                    SELECT :reader, id, owned_by, true, false, created_at FROM social.posts ORDER BY id LIMIT 20000
                    """, """
                    INSERT INTO activity.followed_posts (user_id, post_id, owner_id, active, changed_at)
                    SELECT :reader, id, owned_by, id % 3 < 2, created_at FROM social.posts ORDER BY id LIMIT 20000
                    """)) {
                tx.update(sql).bind("reader", READER.value()).execute();
            }
        });
        LargeSquare.vacuum(database.db());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                MuteFollowListStore.MUTED_POSTS,
                MuteFollowListStore.FOLLOWED_POSTS,
                MuteFollowListStore.MUTED_PEOPLE
            })
    void aListReadsWhatItShows(String sql) {
        for (boolean generic : List.of(false, true)) {
            for (var after :
                    List.of(Position.NEWEST, new Position(1_710_010_000_000_000L, LargeSquare.id(10_010_000)))) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> MuteFollowListStore.query(reads, Plan.LEAD + sql, READER, after, LIMIT));
                assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
                assertThat(plan.largestSort()).as(plan.toString()).isZero();
                assertThat(plan.entriesPassed()).as(plan.toString()).isLessThanOrEqualTo(4 * LIMIT);
            }
        }
    }
}
