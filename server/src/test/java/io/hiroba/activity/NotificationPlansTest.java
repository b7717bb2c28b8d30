package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.testkit.LargeSquare;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each list of cards is a walk along one index, and looks at the tables for the cards it shows. */
@Tag("slow")
class NotificationPlansTest {

    private static final int LIMIT = 21;
    private static final int FEED = 100;

    /** Cards of one microsecond are put in order 32 at a time, and one more tells where their time ends. */
    private static final int GROUP = 33;

    private static final UserId READER = new UserId(LargeSquare.FOLLOWER);
    private static final Instant MIDDLE = Instant.parse("2026-01-10T00:00:00Z");
    private static final Set<String> LARGE = Set.of("notifications", "users", "posts");

    private static final TestDatabase database = LargeSquare.create();

    /** One reader with 20,000 cards of ten acts each, half of them read, among as many of others. */
    @BeforeAll
    static void fill() {
        database.db().useTransaction(tx -> tx.update("""
                        INSERT INTO activity.notifications (user_id, slot, term, is_read, payload, updated_at)
                        SELECT (1700000000000 + CASE WHEN n % 2 = 0 THEN 1 ELSE n % 5000 + 1 END * 1000) << 20,
                               'like:' || social.hex((1700000000000 + (10000000 + n) * 1000) << 20), '2026-01-02',
                               n % 4 < 2,
                               jsonb_build_object('countUsers', 10, 'records', (
                                   SELECT jsonb_agg(jsonb_build_object(
                                       'ts', 1700000000000,
                                       'userId', social.hex((1700000000000 + (n % 4900 + k) * 1000) << 20)))
                                   FROM generate_series(1, 10) AS k)),
                               CAST('2026-01-01T00:00:00Z' AS timestamptz) + n * interval '37.000001 seconds'
                        FROM generate_series(1::bigint, 40000) AS n
                        """).execute());
        LargeSquare.vacuum(database.db());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<Arguments> pages() {
        var deep = new CardPosition(MIDDLE, "like:0000000000000001", "2026-01-02");
        return Stream.of(CardPosition.NEWEST, deep)
                .flatMap(after -> Stream.of(false, true)
                        .map(read -> page(
                                (read ? "read" : "unread") + " after " + after.updatedAt(),
                                reads -> CardListStore.page(reads, Plan.LEAD, READER, read, after, LIMIT))));
    }

    private static Arguments page(String name, Function<Reads, Query> explained) {
        return Arguments.of(name, explained);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void aPageReadsTheCardsItShows(String name, Function<Reads, Query> explained) {
        assertReads(explained, LIMIT);
    }

    @Test
    void theNewestCardsAreReadAndNoMore() {
        assertReads(reads -> CardListStore.newest(reads, Plan.LEAD, READER, null), FEED);
        assertReads(reads -> CardListStore.newest(reads, Plan.LEAD, READER, MIDDLE), FEED + 2);
    }

    private static void assertReads(Function<Reads, Query> explained, int cards) {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(database.db(), generic, explained);
            assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
            assertThat(plan.largestSort()).as(plan.toString()).isBetween(1L, (long) Math.max(cards, GROUP));
            assertThat(plan.rowsReadOf("notifications")).as(plan.toString()).isBetween(1L, Math.max(cards, GROUP) + 2L);
            assertThat(plan.rowsReadOf("posts")).as(plan.toString()).isLessThanOrEqualTo(cards);
            assertThat(plan.entriesPassed()).as(plan.toString()).isLessThanOrEqualTo(13L * cards);
            assertThat(plan.toString()).contains("idx_notifications_user_read_ts");
        }
    }

    @Test
    void whereThereIsNoNewsNoCardIsRead() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> CardListStore.newest(reads, Plan.LEAD, READER, Instant.parse("2026-02-01T00:00:00Z")));
            assertThat(plan.entriesPassed()).as(plan.toString()).isZero();
        }
    }

    @Test
    void expiredCardsAreFoundByTheIndexOfTheirCreation() {
        var plan = database.db()
                .read(reads -> reads.query("EXPLAIN " + CardRetentionStore.DELETE_CARDS)
                        .bind("before", MIDDLE)
                        .bind("limit", CardRetention.BATCH_SIZE)
                        .mapTo(String.class)
                        .list());
        assertThat(plan).anySatisfy(line -> assertThat(line).contains("Index Scan using idx_notifications_created_at"));
    }

    @Test
    void theCountIsOfTheIndexAlone() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(database.db(), generic, reads -> CardListStore.unread(reads, Plan.LEAD, READER, 1001));
            assertThat(plan.rowsReadOf("notifications")).as(plan.toString()).isZero();
            assertThat(plan.entriesPassed()).as(plan.toString()).isEqualTo(1001);
        }
    }

    @Test
    void newsForManyReadersTakeTwoStepsIntoTheIndexEach() {
        var latest = Instant.parse("2026-02-01T00:00:00Z");
        var recent = Instant.parse("2026-01-18T03:00:00Z");
        var readers = new HashMap<UserId, Instant>();
        for (long n = 1; n <= 2000; n++) {
            readers.put(new UserId((1_700_000_000_000L + n * 1000) << 20), latest);
        }
        for (boolean generic : List.of(false, true)) {
            var idle = Plan.of(database.db(), generic, reads -> CardListStore.updatedSince(reads, Plan.LEAD, readers));
            assertThat(idle.scannedThrough(LARGE, 0)).as(idle.toString()).isEmpty();
            assertThat(idle.entriesPassed()).as(idle.toString()).isZero();
            var busy = Plan.of(
                    database.db(),
                    generic,
                    reads -> CardListStore.updatedSince(reads, Plan.LEAD, Map.of(READER, recent)));
            assertThat(busy.scannedThrough(LARGE, 0)).as(busy.toString()).isEmpty();
            assertThat(busy.rowsReadOf("notifications"))
                    .as(busy.toString())
                    .isBetween(1L, 2L * CardListStore.UPDATES_LIMIT + 2);
            var count = Plan.of(
                    database.db(), generic, reads -> CardListStore.unread(reads, Plan.LEAD, readers.keySet(), 1001));
            assertThat(count.scannedThrough(LARGE, 0)).as(count.toString()).isEmpty();
            assertThat(count.rowsReadOf("notifications")).as(count.toString()).isZero();
            var newest = Plan.of(database.db(), generic, reads -> CardListStore.latest(reads, Plan.LEAD, READER));
            assertThat(newest.entriesPassed()).as(newest.toString()).isEqualTo(2);
        }
    }
}
