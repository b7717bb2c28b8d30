package io.hiroba.inbox.items;

import static io.hiroba.testkit.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Made;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestInbox;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WakerTest {

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
        public void made(Tx tx, News news, List<Made> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {
            heard.addAll(users);
        }
    }

    /** Somebody with one item. */
    private Caller owner(String name) {
        var person = test.linked(name);
        test.tell(News.of(test.issue("wake", "i" + name), Action.ASSIGNED, Author.NOBODY, NOON), person);
        return test.accounts.caller(Objects.requireNonNull(person.user()));
    }

    private ItemId only(Caller caller, View view) {
        return test.inbox
                .list(caller, InboxFilter.of(view), Optional.empty(), 2)
                .items()
                .getFirst()
                .id();
    }

    private Waker waker(Ear ear) {
        return new Waker(test.db, test.accounts.clock, ear, test.snoozed);
    }

    @Test
    void twoNodesBringEachItemBackOnceWhenItsTimeHasCome() throws Exception {
        var owners = new ArrayList<Caller>();
        for (int i = 0; i < 40; i++) {
            var owner = owner("w" + i);
            test.inbox.read(owner, List.of(only(owner, View.TODO)));
            test.inbox.snooze(owner, List.of(only(owner, View.TODO)), Snooze.preset("1h"));
            owners.add(owner);
        }
        var ear = new Ear();
        try (var one = waker(ear).start();
                var other = new Waker(test.db, test.accounts.clock, ear, new WakeSignal()).start()) {
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
            var item = test.inbox.item(owner, only(owner, View.TODO));
            assertThat(item.read()).isFalse();
            assertThat(item.snoozedUntil()).isNotNull();
            assertThat(test.inbox.counts(owner)).isEqualTo(new Counts(1, 0, 0, 0, 1));
        }
    }

    @Test
    void anItemComesBackWithinTheSecondByAClockThatRuns() throws Exception {
        var ann = owner("ann");
        var id = only(ann, View.TODO);
        var running = Clock.systemUTC();
        var inbox = new Inbox(test.db, running, test.silent, new Zones(ZoneOffset.UTC), test.lists, test.snoozed);
        try (var waker = new Waker(test.db, running, test.silent, test.snoozed).start()) {
            assertThat(waker).isNotNull();
            var until = running.instant().plusMillis(1700);
            inbox.snooze(ann, List.of(id), Snooze.until(until));
            await().atMost(SOON).until(() -> inbox.item(ann, id).state() == ItemState.TODO);
            assertThat(inbox.item(ann, id).updatedAt()).isBetween(until.minusMillis(1), until.plusMillis(999));
        }
    }

    @Test
    void whatWaitsForSomethingToHappenIsNotBroughtBackByTime() {
        var ann = owner("ann");
        var id = only(ann, View.TODO);
        test.inbox.snooze(ann, List.of(id), Snooze.preset("1h"));
        test.inbox.snooze(ann, List.of(id), Snooze.untilEvent(Stir.MERGE));
        test.accounts.clock.advance(Duration.ofDays(400));
        assertThat(waker(new Ear()).wakeAll()).isZero();
        assertThat(test.inbox.item(ann, id).state()).isEqualTo(ItemState.SNOOZED);
    }

    @Test
    void aClockThatIsSetBackPutsNothingOffThatIsBack() {
        var ann = owner("ann");
        var bob = owner("bob");
        test.inbox.snooze(ann, List.of(only(ann, View.TODO)), Snooze.preset("1h"));
        test.inbox.snooze(bob, List.of(only(bob, View.TODO)), Snooze.preset("4h"));
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
        var id = only(ann, View.TODO);
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
            test.inbox.snooze(owner, List.of(only(owner, View.TODO)), Snooze.preset("tomorrow"));
        }
        var now = test.accounts.clock.instant();
        assertThat(test.inbox.item(ann, only(ann, View.SNOOZED)).snoozedUntil())
                .isEqualTo(SnoozePreset.TOMORROW.end(now, ZoneId.of("Europe/Berlin")));
        assertThat(test.inbox.item(bob, only(bob, View.SNOOZED)).snoozedUntil())
                .isEqualTo(SnoozePreset.TOMORROW.end(now, ZoneId.of("Asia/Tokyo")));
    }

    @Test
    void whatWasDoneLongAgoGoesUnlessItIsSaved() {
        var ann = owner("ann");
        var bob = owner("bob");
        var cem = owner("cem");
        for (var owner : List.of(ann, bob)) {
            test.inbox.done(owner, List.of(only(owner, View.TODO)), Resolution.MARK_DONE);
        }
        test.inbox.save(bob, List.of(only(bob, View.DONE)));
        var ear = new Ear();
        var retention = new Retention(test.db, test.accounts.clock, ear, Duration.ofDays(90));
        test.accounts.clock.advance(Duration.ofDays(89));
        assertThat(retention.sweep()).isZero();
        test.accounts.clock.advance(Duration.ofDays(2));
        assertThat(retention.sweep()).isEqualTo(1);
        assertThat(ear.heard).containsExactly(ann.user());
        assertThat(test.inbox.counts(ann)).isEqualTo(new Counts(0, 0, 0, 0, 0));
        assertThat(test.inbox.counts(bob).done()).isEqualTo(1);
        assertThat(test.inbox.counts(cem).todo()).isEqualTo(1);
    }
}
