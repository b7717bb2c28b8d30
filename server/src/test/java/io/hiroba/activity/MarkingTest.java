package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestCard;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class MarkingTest {

    private static final String TERM = "2026-01-02";

    private static final TestAccounts accounts = new TestAccounts();
    private static final Notifications notifications = new Notifications(accounts.db);

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static Slot like(long post) {
        return Slot.of(NotificationKind.LIKE, new PostId(post));
    }

    private static Instant micros(long more) {
        return TestCard.TIME.plus(more, ChronoUnit.MICROS);
    }

    private static Caller person() {
        return accounts.caller(accounts.user("Ann"));
    }

    /** Unread cards like:1, like:2 … of a microsecond each. */
    private static void cards(UserId reader, int count) {
        accounts.db.useTransaction(tx ->
                tx.update("""
                        INSERT INTO activity.notifications (user_id, slot, term, payload, updated_at)
                        SELECT :user, 'like:' || lpad(upper(to_hex(n)), 16, '0'), '2026-01-02',
                               '{"records":[],"countUsers":0}',
                               CAST('2026-01-02T10:00:00.123456Z' AS timestamptz) + n * interval '1 microsecond'
                        FROM generate_series(1, :count) AS n
                        """).bind("user", reader.value()).bind("count", count).execute());
    }

    private static int unread(Caller reader) {
        return notifications.unread(reader.user()).unread();
    }

    @Test
    void aCardIsMarkedAsReadAndAsUnreadAgain() {
        var ann = person();
        cards(ann.user(), 2);
        assertThat(notifications.mark(ann, like(1), TERM, true, null)).isTrue();
        assertThat(unread(ann)).isEqualTo(1);
        assertThat(notifications.mark(ann, like(1), TERM, true, null)).isTrue();
        assertThat(notifications.mark(ann, like(1), TERM, false, null)).isFalse();
        assertThat(unread(ann)).isEqualTo(2);
    }

    @Test
    void nobodyMarksWhatIsAnothers() {
        var ann = person();
        var bob = person();
        cards(ann.user(), 1);
        assertThatThrownBy(() -> notifications.mark(bob, like(1), TERM, true, null))
                .isInstanceOf(ActivityProblem.class)
                .hasMessage("There is no such card.");
        assertThat(notifications.markAll(bob, true, null)).isZero();
        assertThat(unread(ann)).isEqualTo(1);
        assertThatThrownBy(() -> notifications.mark(ann, like(1), "2026-01-03", true, null))
                .isInstanceOf(ActivityProblem.class);
    }

    @Test
    void aCardThatGotAnActSinceItWasSeenStaysUnread() {
        var ann = person();
        cards(ann.user(), 1);
        assertThat(notifications.mark(ann, like(1), TERM, true, micros(0))).isFalse();
        assertThat(unread(ann)).isEqualTo(1);
        assertThat(notifications.mark(ann, like(1), TERM, true, micros(1))).isTrue();
        assertThat(unread(ann)).isZero();
        // Nothing that was seen keeps a card from being unread.
        assertThat(notifications.mark(ann, like(1), TERM, false, micros(0))).isFalse();
    }

    @Test
    void allAreMarkedInStepsUpToWhatWasSeen() {
        var ann = person();
        cards(ann.user(), 1300);
        assertThat(notifications.unread(ann.user())).isEqualTo(new UnreadCount(1000, true));
        assertThat(notifications.markAll(ann, true, micros(1250))).isEqualTo(1250);
        assertThat(notifications.unread(ann.user())).isEqualTo(new UnreadCount(50, false));
        assertThat(notifications.markAll(ann, true, null)).isEqualTo(50);
        assertThat(notifications.markAll(ann, true, null)).isZero();
        assertThat(notifications.markAll(ann, false, micros(1000))).isEqualTo(1000);
        assertThat(notifications.unread(ann.user())).isEqualTo(new UnreadCount(1000, false));
    }

    @Test
    void aCardOfTheFutureIsNotMarkedWithAllThatAreThere() {
        var ann = person();
        TestCard.of(ann.user(), like(1))
                .updatedAt(Instant.now().plus(Duration.ofHours(1)))
                .insert(accounts.db);
        assertThat(notifications.markAll(ann, true, null)).isZero();
    }

    @Test
    void whatIsBeingWrittenIsMarkedLastAndWithoutWaitingInACircle() throws InterruptedException, ExecutionException {
        var ann = person();
        cards(ann.user(), 20);
        var held = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // Somebody writes card 15, and then wants card 1: had all been locked together, both would wait for ever.
            var writer = threads.submit(() -> accounts.db.useTransaction(tx -> {
                touch(tx, ann.user(), 15);
                held.countDown();
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> release.getCount() == 0);
                touch(tx, ann.user(), 1);
            }));
            held.await();
            var marked = threads.submit(() -> notifications.markAll(ann, true, micros(20)));
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> unread(ann) == 1);
            assertThat(marked.isDone()).isFalse();
            release.countDown();
            writer.get();
            assertThat(marked.get()).isEqualTo(20);
        }
        assertThat(unread(ann)).isZero();
    }

    private static void touch(Tx tx, UserId reader, int card) {
        tx.update("UPDATE activity.notifications SET payload = payload WHERE user_id = :user AND slot = :slot")
                .bind("user", reader.value())
                .bind("slot", like(card).text())
                .execute();
    }
}
