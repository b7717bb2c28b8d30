package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.PostFilter.Order;
import io.hiroba.testkit.LargeSquare;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each list is answered from an index, and looks at the tables for the rows it shows. */
@Tag("slow")
class PostListPlansTest {

    private static final int LIMIT = 21;
    private static final UserId READER = new UserId(LargeSquare.FOLLOWER);
    private static final UserId QUIET = new UserId(LargeSquare.QUIET);
    private static final Position DEEP = new Position(LargeSquare.id(10_025_000), LargeSquare.id(10_025_000));
    private static final long ANSWER = LargeSquare.id(10_000_025);
    private static final Set<String> LARGE = Set.of(
            "posts", "post_likes", "post_tags", "user_follows", "user_blocks", "users", "timelines", "post_counts");

    private static final TestDatabase database = LargeSquare.create();

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<Arguments> lists() {
        var viral = new PostId(LargeSquare.VIRAL);
        var filters = List.of(
                PostFilter.NEWEST,
                PostFilter.NEWEST.withReplies(),
                PostFilter.ownedBy(new UserId(LargeSquare.id(100))),
                PostFilter.ownedBy(new UserId(LargeSquare.id(100))).withReplies(),
                PostFilter.repliesTo(viral),
                PostFilter.repliesTo(viral).inOrder(Order.NEWEST_FIRST),
                PostFilter.tagged("third"),
                PostFilter.tagged("third").withReplies(),
                new PostFilter(new UserId(LargeSquare.id(100)), "third", null, true, Order.NEWEST_FIRST));
        return Stream.concat(
                filters.stream()
                        .flatMap(filter -> Stream.of(start(filter), DEEP)
                                .map(after -> list(
                                        filter + " after " + after.id(),
                                        reads -> PostListStore.query(reads, Plan.LEAD, READER, filter, after, LIMIT)))),
                Stream.of(
                        list("feed of 5,000", reads -> feed(reads, PostListStore.FEED, READER, Position.NEWEST)),
                        list("feed of 5,000, deep", reads -> feed(reads, PostListStore.FEED, READER, DEEP)),
                        list(
                                "feed of 10 quiet ones and one with many followers",
                                reads -> feed(reads, PostListStore.FEED, QUIET, Position.NEWEST)),
                        list("above", reads -> ThreadStore.ancestors(reads, Plan.LEAD, READER, new PostId(ANSWER), 8)),
                        list(
                                "below",
                                reads -> ThreadStore.replies(
                                        reads, Plan.LEAD, READER, List.of(viral, new PostId(ANSWER)), 4)),
                        list(
                                "answered",
                                reads -> ThreadStore.haveReplies(
                                        reads, Plan.LEAD, READER, List.of(viral, new PostId(ANSWER)))),
                        list(
                                "liked",
                                reads ->
                                        PostListStore.liked(reads, Plan.LEAD, QUIET, READER, Position.NEWEST, LIMIT))));
    }

    private static Query feed(Reads reads, String sql, UserId reader, Position after) {
        return PostListStore.feed(reads, Plan.LEAD + sql, reader, after, LIMIT);
    }

    private static Position start(PostFilter filter) {
        return filter.order() == Order.NEWEST_FIRST ? Position.NEWEST : Position.OLDEST;
    }

    private static Arguments list(String name, Function<Reads, Query> explained) {
        return Arguments.of(name, explained);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lists")
    void aListReadsWhatItShows(String name, Function<Reads, Query> explained) {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(database.db(), generic, explained);
            assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
            // A page, or one of the reader's and one of somebody with many followers.
            assertThat(plan.largestSort()).as(plan.toString()).isLessThanOrEqualTo(2 * LIMIT);
            // Each shown post, what it replies to, and a few that a filter passed over.
            assertThat(plan.rowsReadOf("posts")).as(plan.toString()).isLessThanOrEqualTo(4 * LIMIT);
            // The index alone answers, but where VACUUM has not been since a row was written the table is asked too.
            assertThat(plan.rowsReadOf("timelines")).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
            assertThat(plan.entriesPassed()).as(plan.toString()).isLessThan(25 * LIMIT);
        }
    }

    /** Below the window a page costs by the followees, and by nothing else. */
    @Test
    void theFeedFromPostsReadsTheNewestOfEachFollowee() {
        for (boolean generic : List.of(false, true)) {
            for (var after : List.of(Position.NEWEST, DEEP)) {
                var plan = Plan.of(
                        database.db(), generic, reads -> feed(reads, PostListStore.FEED_FROM_POSTS, READER, after));
                assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
                assertThat(plan.rowsReadOf("posts")).as(plan.toString()).isLessThanOrEqualTo(4 * LIMIT);
                assertThat(plan.entriesPassedOf("posts")).as(plan.toString()).isLessThan(5_000 + 25 * LIMIT);
            }
        }
    }
}
