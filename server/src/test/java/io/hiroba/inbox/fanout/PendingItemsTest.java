package io.hiroba.inbox.fanout;

import static io.hiroba.inbox.TestInbox.GITLAB;
import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Email;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.TestInbox;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What waits for people who are not here. */
@Tag("slow")
class PendingItemsTest {

    private TestInbox inbox;
    private PendingItems room;

    @BeforeEach
    void open() {
        inbox = new TestInbox();
        room = new PendingItems(
                inbox.db, inbox.accounts.clock, inbox.accounts.users, inbox.people, Duration.ofDays(30));
    }

    @AfterEach
    void close() {
        assertThat(inbox.miscounted()).isEmpty();
        inbox.close();
    }

    private NotificationRequest request(String issue) {
        return NotificationRequest.of(inbox.issue("a/b", issue), Action.ASSIGNED, NotificationAuthor.NOBODY, NOON);
    }

    private int waiting() {
        return inbox.accounts.count("SELECT count(*) FROM inbox.pending_items");
    }

    @Test
    void nothingWaitsLongerThanThirtyDays() {
        var stranger = inbox.stranger("zoe");
        inbox.notifyPeople(request("1"), stranger);
        inbox.accounts.clock.advance(Duration.ofDays(29));
        inbox.notifyPeople(request("2"), stranger);
        assertThat(room.sweep()).isZero();
        inbox.accounts.clock.advance(Duration.ofDays(1).plusSeconds(1));
        assertThat(room.sweep()).isEqualTo(1);
        var zoe = inbox.user("zoe");
        inbox.db.useTransaction(tx -> inbox.people.link(tx, stranger.id(), zoe));
        assertThat(inbox.items(zoe)).hasSize(1);
    }

    @Test
    void twoNodesThrowAwayEachThingOnce() throws Exception {
        var stranger = inbox.stranger("zoe");
        inbox.notifyPeople(request("1"), stranger);
        inbox.db.useTransaction(tx -> tx.update("""
                        INSERT INTO inbox.pending_items (id, person_id, action, resource_id, happened_at, created_at)
                        SELECT n, person_id, 2, resource_id, happened_at, created_at
                        FROM inbox.pending_items, generate_series(1, 1999) n
                        """).execute());
        inbox.accounts.clock.advance(Duration.ofDays(31));
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            int swept = nodes.invokeAll(Collections.nCopies(2, (Callable<Integer>) room::sweep)).stream()
                    .mapToInt(node -> node.resultNow())
                    .sum();
            assertThat(swept).isEqualTo(2000);
        }
        assertThat(waiting()).isZero();
    }

    @Test
    void whoMakesAnAccountWithTheirAddressGetsWhatWaitedWithoutAnotherEvent() {
        var address = new Email("mia@elsewhere.example");
        var stranger = inbox.db.inTransaction(
                tx -> inbox.people.of(tx, GITLAB, new PersonDescription(null, "mia", address.value(), null, null)));
        inbox.notifyPeople(request("1"), stranger, inbox.stranger("other"));
        room.lookUpAccounts();
        assertThat(waiting()).isEqualTo(2);
        var mia = inbox.accounts.user(address, "mia", false);
        room.lookUpAccounts();
        assertThat(inbox.items(mia)).containsExactly("1:todo");
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void whoeverHasWaitedForMuchGetsSomeAtOnceAndTheRestAtTheNextLooks() {
        var stranger = inbox.stranger("zoe");
        for (int i = 0; i < 401; i++) {
            inbox.notifyPeople(request("much " + i), stranger);
        }
        var zoe = inbox.user("zoe");
        inbox.db.useTransaction(tx -> inbox.people.link(tx, stranger.id(), zoe));
        assertThat(inbox.items(zoe)).hasSize(200);
        room.lookUpAccounts();
        room.lookUpAccounts();
        assertThat(inbox.items(zoe)).hasSize(401);
        assertThat(waiting()).isZero();
    }

    @Test
    void whatIsWrongWithOneKeepsNobodyElseWaiting() {
        var first = inbox.stranger("first");
        var second = inbox.stranger("second");
        inbox.notifyPeople(request("1"), first, second);
        var one = inbox.user("one");
        var two = inbox.user("two");
        inbox.db.useTransaction(tx -> tx.update("""
                        UPDATE inbox.people SET user_id = CASE id WHEN :first THEN CAST(:one AS BIGINT) ELSE :two END
                        WHERE id IN (:first, :second)
                        """)
                .bind("first", first.id().value())
                .bind("second", second.id().value())
                .bind("one", one.value())
                .bind("two", two.value())
                .execute());
        inbox.db.useTransaction(tx -> tx.update("UPDATE inbox.pending_items SET action = 99 WHERE person_id = :first")
                .bind("first", first.id().value())
                .execute());
        room.lookUpAccounts();
        assertThat(inbox.items(two)).containsExactly("1:todo");
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void whatWasPutThereWhileSomebodyWasBeingLinkedIsNotForgotten() {
        var seen = inbox.stranger("nia");
        var nia = inbox.user("nia");
        inbox.db.useTransaction(tx -> inbox.people.link(tx, seen.id(), nia));
        // As an event sees them that began before.
        inbox.notifyPeople(request("1"), seen);
        assertThat(inbox.items(nia)).isEmpty();
        room.lookUpAccounts();
        assertThat(inbox.items(nia)).containsExactly("1:todo");
    }
}
