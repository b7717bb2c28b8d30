package io.hiroba.inbox;

import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.Square;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
class SnoozeWakerTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    private TestInbox test;

    @BeforeEach
    void open() {
        test = new TestInbox();
    }

    @AfterEach
    void close() {
        assertThat(test.miscounted()).isEmpty();
        test.close();
    }

    /** Hears whose items have changed. */
    private static final class Ear implements ItemListener {

        final List<UserId> heard = new CopyOnWriteArrayList<>();

        @Override
        public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {
            heard.addAll(users);
        }
    }

    /** Somebody with one item. */
    private Caller owner(String name) {
        var person = test.linked(name);
        test.notifyPeople(
                NotificationRequest.of(
                        test.issue("wake", "i" + name), Action.ASSIGNED, NotificationAuthor.NOBODY, NOON),
                person);
        return test.accounts.caller(Objects.requireNonNull(person.user()));
    }

    private ItemId only(Caller caller, InboxView view) {
        return test.inbox
                .list(caller, InboxFilter.of(view), Optional.empty(), 2)
                .items()
                .getFirst()
                .id();
    }

    private SnoozeWaker waker(Ear ear) {
        return new SnoozeWaker(test.db, test.accounts.clock, ear, test.snoozed, Duration.ofSeconds(1));
    }

    @Test
    void twoNodesBringEachItemBackOnceWhenItsTimeHasCome() throws Exception {
        var owners = new ArrayList<Caller>();
        for (int i = 0; i < 40; i++) {
            var owner = owner("w" + i);
            test.inbox.read(owner, List.of(only(owner, InboxView.TODO)));
            test.inbox.snooze(owner, List.of(only(owner, InboxView.TODO)), Snooze.preset("1h"));
            owners.add(owner);
        }
        var ear = new Ear();
        try (var one = waker(ear).start();
                var other = new SnoozeWaker(test.db, test.accounts.clock, ear, new WakeSignal(), Duration.ofSeconds(1))
                        .start()) {
            assertThat(one).isNotSameAs(other);
            test.accounts.clock.advance(Duration.ofMinutes(59));
            await().during(Duration.ofMillis(1500)).atMost(SOON).until(() -> ear.heard.isEmpty());
            test.accounts.clock.advance(Duration.ofMinutes(1));
            await().atMost(SOON).until(() -> ear.heard.size() >= owners.size());
        }
        assertThat(ear.heard)
                .containsExactlyInAnyOrderElementsOf(
                        owners.stream().map(Caller::user).toList());
        for (var owner : owners) {
            var item = test.inbox.item(owner, only(owner, InboxView.TODO));
            assertThat(item.read()).isFalse();
            assertThat(item.snoozedUntil()).isNotNull();
            assertThat(test.inbox.counts(owner)).isEqualTo(new InboxCounts(1, 0, 0, 0, 1));
        }
    }

    @Test
    void anItemIsWokenWithinTheSecondByARunningClock() throws Exception {
        var ann = owner("ann");
        var id = only(ann, InboxView.TODO);
        var running = Clock.systemUTC();
        var inbox = new Inbox(
                test.db, running, test.silent, ZoneOffset.UTC, test.lists, test.snoozed, (reads, ids) -> Map.of());
        try (var waker = new SnoozeWaker(test.db, running, test.silent, test.snoozed, Duration.ofSeconds(1)).start()) {
            assertThat(waker).isNotNull();
            var until = running.instant().plusMillis(1700);
            inbox.snooze(ann, List.of(id), Snooze.until(until));
            await().atMost(SOON).until(() -> inbox.item(ann, id).state() == ItemState.TODO);
            assertThat(inbox.item(ann, id).updatedAt()).isBetween(until.minusMillis(1), until.plusMillis(999));
        }
    }

    @Test
    void aNodeWithAWrongClockSnoozesByTheClockOfTheDatabase() {
        var ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(2));
        try (var square = new Square(ahead)) {
            var bob = square.person("Bob");
            var message = Json.text(Map.of("members", List.of(bob.id()), "content", "Lunch?"));
            assertThat(square.person("Ann")
                            .api()
                            .post("/api/v1/messages/threads", message)
                            .outcome())
                    .isEqualTo("201");
            var items = await().atMost(Duration.ofSeconds(20))
                    .until(() -> bob.api().get("/api/v1/inbox").json().path("items"), found -> found.size() == 1);
            var path = "/api/v1/inbox/" + items.path(0).path("id").asString();
            var snoozed = bob.api().post(path + "/snooze", "{'preset': '1h'}");
            assertThat(Instant.parse(snoozed.text("snoozedUntil")))
                    .isCloseTo(Instant.now().plus(Duration.ofHours(1)), within(1, ChronoUnit.MINUTES));
        }
    }

    @Test
    @Timeout(20) // a sleep that goes on is waited for half a minute
    void aNodeThatStopsDoesNotSleepOn() throws Exception {
        var ann = owner("ann");
        test.inbox.snooze(ann, List.of(only(ann, InboxView.TODO)), Snooze.preset("1h"));
        try (var waker =
                new SnoozeWaker(test.db, test.accounts.clock, test.silent, test.snoozed, Duration.ofHours(2)).start()) {
            assertThat(waker).isNotNull();
        }
    }

    @Test
    void whatWaitsForSomethingToHappenIsNotBroughtBackByTime() {
        var ann = owner("ann");
        var id = only(ann, InboxView.TODO);
        test.inbox.snooze(ann, List.of(id), Snooze.preset("1h"));
        test.inbox.snooze(ann, List.of(id), Snooze.untilEvent(SnoozeEvent.COMMENT));
        test.accounts.clock.advance(Duration.ofDays(400));
        assertThat(waker(new Ear()).wakeAll()).isZero();
        assertThat(test.inbox.item(ann, id).state()).isEqualTo(ItemState.SNOOZED);
    }

    @Test
    void aClockThatIsSetBackPutsNothingOffThatIsBack() {
        var ann = owner("ann");
        var bob = owner("bob");
        test.inbox.snooze(ann, List.of(only(ann, InboxView.TODO)), Snooze.preset("1h"));
        test.inbox.snooze(bob, List.of(only(bob, InboxView.TODO)), Snooze.preset("4h"));
        test.accounts.clock.advance(Duration.ofHours(2));
        assertThat(waker(new Ear()).wakeAll()).isEqualTo(1);
        test.accounts.clock.advance(Duration.ofDays(-3));
        assertThat(waker(new Ear()).wakeAll()).isZero();
        assertThat(test.inbox.counts(ann).todo()).isEqualTo(1);
        test.accounts.clock.advance(Duration.ofDays(4));
        assertThat(waker(new Ear()).wakeAll()).isEqualTo(1);
        assertThat(test.inbox.counts(bob).todo()).isEqualTo(1);
    }

    @Test
    void whatIsInItsOwnersHandsIsLeftToThem() {
        var ann = owner("ann");
        var id = only(ann, InboxView.TODO);
        test.inbox.snooze(ann, List.of(id), Snooze.preset("1h"));
        test.accounts.clock.advance(Duration.ofHours(2));
        test.db.useTransaction(tx -> {
            new ItemStore().lock(tx, ann.user(), List.of(id));
            assertThat(waker(new Ear()).wakeAll()).isZero();
            new ItemStore().done(tx, ann.user(), List.of(id), Resolution.MARK_DONE, test.accounts.clock.instant());
        });
        assertThat(waker(new Ear()).wakeAll()).isZero();
        assertThat(test.inbox.counts(ann).done()).isEqualTo(1);
    }

    @Test
    void presetsGoByTheZoneOfTheAccountOrTheServer() {
        var ann = owner("ann");
        var bob = owner("bob");
        test.db.useTransaction(tx -> tx.update("UPDATE accounts.users SET time_zone = 'Europe/Berlin' WHERE id = :id")
                .bind("id", ann.user().value())
                .execute());
        for (var owner : List.of(ann, bob)) {
            test.inbox.snooze(owner, List.of(only(owner, InboxView.TODO)), Snooze.preset("tomorrow"));
        }
        var now = test.accounts.clock.instant();
        assertThat(test.inbox.item(ann, only(ann, InboxView.SNOOZED)).snoozedUntil())
                .isEqualTo(SnoozePreset.TOMORROW.end(now, ZoneId.of("Europe/Berlin")));
        assertThat(test.inbox.item(bob, only(bob, InboxView.SNOOZED)).snoozedUntil())
                .isEqualTo(SnoozePreset.TOMORROW.end(now, ZoneId.of("Asia/Tokyo")));
    }

    @Test
    void whatWasDoneLongAgoGoesUnlessItIsSaved() {
        var ann = owner("ann");
        var bob = owner("bob");
        var cem = owner("cem");
        for (var owner : List.of(ann, bob)) {
            test.inbox.done(owner, List.of(only(owner, InboxView.TODO)), Resolution.MARK_DONE);
        }
        test.inbox.save(bob, List.of(only(bob, InboxView.DONE)));
        var ear = new Ear();
        var retention = new ItemRetention(test.db, test.accounts.clock, ear, Duration.ofDays(90));
        test.accounts.clock.advance(Duration.ofDays(89));
        assertThat(retention.sweep()).isZero();
        test.accounts.clock.advance(Duration.ofDays(2));
        assertThat(retention.sweep()).isEqualTo(1);
        assertThat(ear.heard).containsExactly(ann.user());
        assertThat(test.inbox.counts(ann)).isEqualTo(new InboxCounts(0, 0, 0, 0, 0));
        assertThat(test.inbox.counts(bob).done()).isEqualTo(1);
        assertThat(test.inbox.counts(cem).todo()).isEqualTo(1);
    }

    @Test
    void doneItemsAreDeletedInBatches() {
        var ann = owner("ann");
        test.db.useTransaction(tx -> tx.update("""
                        WITH added AS (
                            INSERT INTO inbox.notifications
                                (id, user_id, namespace_id, action, resource_type, resource_id, happened_at, state,
                                 resolved_by_action, resolved_at)
                            SELECT n, user_id, namespace_id, action, resource_type, resource_id, happened_at, 2, 0, :now
                            FROM (SELECT * FROM inbox.notifications WHERE user_id = :user LIMIT 1) one,
                                 generate_series(1, 1200) n
                            RETURNING id, user_id, resource_id, namespace_id
                        )
                        INSERT INTO inbox.issue_notifications (notification_id, user_id, resource_id, namespace_id)
                        SELECT id, user_id, resource_id, namespace_id FROM added
                        """)
                .bind("user", ann.user().value())
                .bind("now", test.accounts.clock.instant())
                .execute());
        test.accounts.clock.advance(Duration.ofDays(91));
        var ear = new Ear();
        var retention = new ItemRetention(test.db, test.accounts.clock, ear, Duration.ofDays(90));
        assertThat(retention.sweep()).isEqualTo(1200);
        assertThat(ear.heard).as("one transaction for each 500").hasSize(3);
        assertThat(test.inbox.counts(ann)).isEqualTo(new InboxCounts(1, 0, 0, 0, 1));
    }
}
