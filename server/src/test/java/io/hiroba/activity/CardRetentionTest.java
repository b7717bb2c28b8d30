package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CardRetentionTest {

    private static final Instant START = Instant.parse("2026-01-02T10:00:00Z");

    private static final TestAccounts accounts = new TestAccounts();

    private final SettableClock clock = new SettableClock(START);
    private final CardRetention retention = new CardRetention(accounts.db, clock, ActivityConfig.DEFAULT.retention());
    private final UserId ann = accounts.user("Ann");

    @AfterAll
    static void close() {
        accounts.close();
    }

    @BeforeEach
    void empty() {
        execute("TRUNCATE activity.notifications, activity.card_acts, activity.followed_posts");
    }

    private static void execute(String sql) {
        accounts.db.useTransaction(tx -> tx.update(sql).execute());
    }

    private static int cards() {
        return accounts.count("SELECT count(*) FROM activity.notifications");
    }

    /** Cards made a minute after one another, the first at the start; updated now, which does not matter. */
    private void cards(int count) {
        execute("""
                INSERT INTO activity.notifications (user_id, slot, term, payload, updated_at, created_at)
                SELECT %d, 'like:' || social.hex(n), '2026-01-02', '{"records":[],"countUsers":0}', now(),
                       CAST('%s' AS timestamptz) + n * interval '1 minute'
                FROM generate_series(0, %d - 1) AS n
                """.formatted(ann.value(), START, count));
    }

    @Test
    void cardsAreKeptForNinetyDaysFromTheirFirstActOn() {
        cards(3);
        clock.advance(Duration.ofDays(90));
        retention.sweep();
        assertThat(cards()).isEqualTo(3);
        clock.advance(Duration.ofSeconds(1));
        retention.sweep();
        assertThat(cards()).isEqualTo(2);
        clock.advance(Duration.ofMinutes(1));
        retention.sweep();
        assertThat(cards()).isEqualTo(1);
    }

    @Test
    void howeverManyAreOldTheyGoInOneSweep() {
        cards(2 * CardRetention.BATCH_SIZE + 7);
        execute("""
                INSERT INTO activity.card_acts (user_id, slot, term, actor_id, post_id, ts)
                SELECT n.user_id, n.slot, n.term, a, 0, a
                FROM activity.notifications n, generate_series(1, 2500) AS a
                WHERE n.slot = 'like:0000000000000001'
                """);
        clock.advance(Duration.ofDays(100));
        retention.sweep();
        assertThat(cards()).isZero();
        assertThat(accounts.count("SELECT count(*) FROM activity.card_acts")).isZero();
    }

    @Test
    void whatIsBeingWrittenIsLeftToTheNextSweep() throws InterruptedException, ExecutionException {
        cards(3);
        clock.advance(Duration.ofDays(100));
        var held = new CountDownLatch(1);
        var swept = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writer = threads.submit(() -> accounts.db.inTransaction(tx -> {
                int written = tx.update(
                                "UPDATE activity.notifications SET is_read = true WHERE slot = 'like:0000000000000001'")
                        .execute();
                held.countDown();
                wait(swept);
                return written;
            }));
            held.await();
            retention.sweep();
            assertThat(cards()).isEqualTo(1);
            swept.countDown();
            assertThat(writer.get()).isEqualTo(1);
        }
        retention.sweep();
        assertThat(cards()).isZero();
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void postsThatSomebodyStoppedFollowingAreForgottenAfterThatTimeAndOthersAreNot() {
        execute("""
                INSERT INTO activity.followed_posts (user_id, post_id, owner_id, active, changed_at)
                SELECT %d, n, 1, n %% 2 = 0, CAST('%s' AS timestamptz) FROM generate_series(1, 2500) AS n
                """.formatted(ann.value(), START));
        clock.advance(Duration.ofDays(90));
        retention.sweep();
        assertThat(accounts.count("SELECT count(*) FROM activity.followed_posts"))
                .isEqualTo(2500);
        clock.advance(Duration.ofSeconds(1));
        retention.sweep();
        assertThat(accounts.count("SELECT count(*) FROM activity.followed_posts WHERE active"))
                .isEqualTo(1250);
        assertThat(accounts.count("SELECT count(*) FROM activity.followed_posts"))
                .isEqualTo(1250);
    }
}
