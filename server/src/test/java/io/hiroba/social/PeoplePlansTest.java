package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.Friend.FriendPosition;
import io.hiroba.testkit.LargeSquare;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists of people are answered from an index too. */
@Tag("slow")
class PeoplePlansTest {

    private static final int LIMIT = 21;
    private static final UserId READER = new UserId(LargeSquare.FOLLOWER);
    private static final UserId QUIET = new UserId(LargeSquare.QUIET);
    private static final Set<String> LARGE = Set.of("users", "user_follows", "post_likes");
    private static final FriendPosition AMONG_OTHERS = new FriendPosition(2, "user 5", new UserId(1));

    private static final TestDatabase database = LargeSquare.create();

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<Arguments> lists() {
        return Stream.of(
                byTime("followers", PeopleStore.FOLLOWERS, LargeSquare.FOLLOWER),
                byTime("followees", PeopleStore.FOLLOWEES, LargeSquare.FOLLOWER),
                byTime("likers", PeopleStore.LIKERS, LargeSquare.VIRAL),
                list("counts", reads -> PeopleStore.countsQuery(reads, Plan.LEAD, List.of(READER, QUIET))),
                friends("friends of 5,000", READER, "", FriendPosition.START),
                friends("friends of 5,000 by prefix", READER, "taro", FriendPosition.START),
                friends("friends of 10", QUIET, "", FriendPosition.START),
                friends("friends of 10 by prefix", QUIET, "user a", FriendPosition.START),
                friends("friends of 10, deep", QUIET, "", AMONG_OTHERS));
    }

    private static Arguments byTime(String name, String sql, long of) {
        return list(name, reads -> PeopleStore.query(reads, Plan.LEAD + sql, QUIET, of, Position.NEWEST, LIMIT));
    }

    private static Arguments friends(String name, UserId viewer, String prefix, FriendPosition after) {
        return list(name, reads -> FriendStore.query(reads, Plan.LEAD, viewer, prefix, after, LIMIT));
    }

    private static Arguments list(String name, Function<Reads, Query> explained) {
        return Arguments.of(name, explained);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lists")
    void aListReadsWhatItShows(String name, Function<Reads, Query> explained) {
        // Friends are planned for the values at hand, and few matching people or the reader's followees looked through.
        boolean friends = name.startsWith("friends");
        int looked = !friends ? 0 : name.contains("5,000") ? 5_001 : 500;
        for (boolean generic : friends ? List.of(false) : List.of(false, true)) {
            var plan = Plan.of(database.db(), generic, explained);
            assertThat(plan.scannedThrough(LARGE, looked)).as(plan.toString()).isEmpty();
            assertThat(plan.largestSort()).as(plan.toString()).isLessThanOrEqualTo(Math.max(LIMIT, looked));
            assertThat(plan.entriesPassed()).as(plan.toString()).isLessThan(4L * looked + 30 * LIMIT);
        }
    }
}
