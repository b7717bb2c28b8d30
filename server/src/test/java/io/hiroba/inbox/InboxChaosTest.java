package io.hiroba.inbox;

import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Several do things to one user's items at once, while items come, are answered, come back and go. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class InboxChaosTest {

    private static final int RESOURCES = 12;
    private static final int STEPS = 80;
    private static final Action[] ACTIONS = {Action.ASSIGNED, Action.MENTIONED, Action.REVIEW_REQUESTED, Action.MARKED};

    private TestInbox test;
    private ExternalPerson person;
    private Caller ann;
    private List<Resource> resources;
    private final Queue<UUID> runs = new ConcurrentLinkedQueue<>();

    @BeforeAll
    void open() {
        test = new TestInbox();
        person = test.linked("ann");
        ann = test.accounts.caller(Objects.requireNonNull(person.user()));
        resources = IntStream.range(0, RESOURCES)
                .mapToObj(i -> i % 2 == 0 ? test.issue("chaos", "i" + i) : test.mergeRequest("chaos", "m" + i))
                .toList();
    }

    @AfterAll
    void close() {
        test.close();
    }

    @Test
    void countsEqualTheListsWhateverIsDoneAtOnce() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 3; i++) {
                var random = new Random(100L + i);
                running.add(threads.submit(repeat(() -> notifyRandomly(random))));
            }
            for (int i = 0; i < 4; i++) {
                var random = new Random(200L + i);
                running.add(threads.submit(repeat(() -> change(random))));
            }
            for (var one : running) {
                assertThat(one.get()).isPositive();
            }
        }
        assertThat(test.miscounted()).isEmpty();
        var counts = test.inbox.counts(ann);
        assertThat(all(InboxView.TODO)).hasSize((int) counts.todo());
        assertThat(all(InboxView.SNOOZED)).hasSize((int) counts.snoozed());
        assertThat(all(InboxView.SAVED)).hasSize((int) counts.saved());
        assertThat(all(InboxView.DONE)).hasSize((int) counts.done());
        assertThat(counts.done()).isPositive();
    }

    /** Answers how many of the steps were taken: some are refused, as they may be. */
    private static Callable<Integer> repeat(Runnable step) {
        return () -> {
            int taken = 0;
            for (int i = 0; i < STEPS; i++) {
                try {
                    step.run();
                    taken++;
                } catch (InboxProblem refused) {
                    assertThat(refused.code()).isIn("inbox.item-not-found", "inbox.already-pending", "inbox.item-done");
                }
            }
            return taken;
        };
    }

    /** What others do. */
    private void notifyRandomly(Random random) {
        var about = resources.get(random.nextInt(RESOURCES));
        var at = NOON.plusSeconds(random.nextInt(1000));
        switch (random.nextInt(6)) {
            case 0 -> test.db.useTransaction(tx -> test.resolver.recordActivity(tx, about, person, at));
            case 1 -> test.db.useTransaction(tx -> test.resolver.autoResolve(tx, about, Set.of(Action.MARKED), at));
            case 2 -> test.db.useTransaction(tx -> test.resolver.wakeSnoozed(tx, about, SnoozeEvent.COMMENT));
            default ->
                test.notifyPeople(
                        NotificationRequest.of(
                                about, ACTIONS[random.nextInt(ACTIONS.length)], NotificationAuthor.NOBODY, at),
                        person);
        }
    }

    /** What she does herself, at several screens, and what happens by itself. */
    private void change(Random random) {
        var ids = some(random);
        switch (random.nextInt(13)) {
            case 0 -> test.inbox.done(ann, ids, Resolution.MARK_DONE);
            case 1 -> test.inbox.restore(ann, ids);
            case 2 -> test.inbox.save(ann, ids);
            case 3 -> test.inbox.unsave(ann, ids);
            case 4 -> test.inbox.read(ann, ids);
            case 5 -> test.inbox.unread(ann, ids);
            case 6 -> test.inbox.snooze(ann, ids, Snooze.preset("1h"));
            case 7 -> test.inbox.snooze(ann, ids, Snooze.untilEvent(SnoozeEvent.COMMENT));
            case 8 -> test.inbox.unsnooze(ann, ids);
            case 9 -> {
                test.accounts.clock.advance(Duration.ofMinutes(random.nextInt(40)));
                new SnoozeWaker(test.db, test.accounts.clock, test.silent, test.snoozed).wakeAll();
            }
            case 10 -> new ItemRetention(test.db, test.accounts.clock, test.silent, Duration.ofHours(6)).sweep();
            case 11 -> Optional.ofNullable(runs.poll()).ifPresent(run -> test.inbox.undo(ann, run));
            default -> {
                var run = UUID.randomUUID();
                test.inbox.markAllDone(
                        ann,
                        new InboxFilter(
                                InboxView.TODO,
                                Set.of(Action.MENTIONED, Action.MARKED),
                                Set.of(),
                                null,
                                null,
                                null,
                                ItemSort.RECOMMENDED),
                        null,
                        run);
                runs.add(run);
            }
        }
    }

    private List<ItemId> some(Random random) {
        var views = InboxView.values();
        var found =
                new ArrayList<>(test
                        .inbox
                        .list(ann, InboxFilter.of(views[random.nextInt(views.length)]), Optional.empty(), 20)
                        .items()
                        .stream()
                        .map(InboxItem::id)
                        .toList());
        Collections.shuffle(found, random);
        return found.subList(0, Math.min(found.size(), 1 + random.nextInt(4)));
    }

    private List<ItemId> all(InboxView view) {
        return pages(ann, InboxFilter.of(view), 7);
    }

    private List<ItemId> pages(Caller caller, InboxFilter filter, int limit) {
        var seen = new ArrayList<ItemId>();
        var after = Optional.<ItemPosition>empty();
        do {
            var page = test.inbox.list(caller, filter, after, limit);
            page.items().forEach(item -> seen.add(item.id()));
            after = page.next();
        } while (after.isPresent());
        return seen;
    }

    @Test
    void whileAListChangesNothingComesTwiceAndNothingThatStaysIsSkipped() throws Exception {
        var bob = test.linked("bob");
        var caller = test.accounts.caller(Objects.requireNonNull(bob.user()));
        var count = new AtomicInteger();
        for (int i = 0; i < 120; i++) {
            mention(bob, count);
        }
        var atFirst = pages(caller, InboxFilter.of(InboxView.TODO), 100);
        var going = new HashSet<>(atFirst.subList(20, 60));
        var paging = new AtomicBoolean(true);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var changes = threads.submit(() -> {
                var left = new ArrayList<>(going);
                while (paging.get()) {
                    mention(bob, count);
                    if (!left.isEmpty()) {
                        test.inbox.done(caller, List.of(left.removeLast()), Resolution.MARK_DONE);
                    }
                }
                return left.size();
            });
            for (var sort : ItemSort.values()) {
                // New items come behind the last of the oldest first, so that only so many pages are of interest.
                var seen = sort == ItemSort.OLDEST
                        ? firstPages(caller, InboxFilter.of(InboxView.TODO).sorted(sort), 20)
                        : pages(caller, InboxFilter.of(InboxView.TODO).sorted(sort), 5);
                assertThat(seen).doesNotHaveDuplicates();
                var staying = new ArrayList<>(atFirst);
                staying.removeAll(going);
                assertThat(seen).containsAll(staying);
            }
            paging.set(false);
            assertThat(changes.get()).isLessThan(going.size());
        }
    }

    private List<ItemId> firstPages(Caller caller, InboxFilter filter, int pages) {
        var seen = new ArrayList<ItemId>();
        var after = Optional.<ItemPosition>empty();
        for (int i = 0; i < pages && (i == 0 || after.isPresent()); i++) {
            var page = test.inbox.list(caller, filter, after, 6);
            page.items().forEach(item -> seen.add(item.id()));
            after = page.next();
        }
        return seen;
    }

    private void mention(ExternalPerson bob, AtomicInteger count) {
        test.accounts.clock.advance(Duration.ofMillis(1));
        var about = resources.get(count.incrementAndGet() % RESOURCES);
        test.notifyPeople(
                NotificationRequest.of(about, Action.MENTIONED, NotificationAuthor.NOBODY, NOON.plusSeconds(100_000)),
                bob);
    }

    @Test
    void whatComesWhileAllIsBeingDoneIsLeftAloneAndTheUndoBringsBackTheOthers() {
        var cem = test.linked("cem");
        var caller = test.accounts.caller(Objects.requireNonNull(cem.user()));
        var issue = test.issue("late", "late");
        var request = NotificationRequest.of(issue, Action.MENTIONED, NotificationAuthor.NOBODY, TestInbox.NOON);
        test.db.useTransaction(tx -> {
            for (int i = 0; i < 600; i++) {
                test.notifier.notifyPeople(tx, request, List.of(cem));
            }
        });
        // One more comes with each of the two transactions that it takes.
        var listening = test.inbox(new ItemListener() {
            @Override
            public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

            @Override
            public void changed(Tx tx, Collection<UserId> users) {
                tx.afterCommit(() -> test.notifyPeople(request, cem));
            }
        });
        var run = UUID.randomUUID();
        assertThat(listening.markAllDone(caller, InboxFilter.of(InboxView.TODO), null, run))
                .isEqualTo(600);
        assertThat(test.inbox.counts(caller)).isEqualTo(new InboxCounts(2, 0, 0, 600, 2));

        // An undo that dies on its way is finished by another, and two at once by each other.
        var batches = new AtomicInteger();
        var dying = test.inbox(new ItemListener() {
            @Override
            public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

            @Override
            public void changed(Tx tx, Collection<UserId> users) {
                if (batches.incrementAndGet() == 2) {
                    throw new IllegalStateException("dies");
                }
            }
        });
        assertThatThrownBy(() -> dying.undo(caller, run)).hasMessage("dies");
        assertThat(test.inbox.counts(caller)).isEqualTo(new InboxCounts(502, 0, 0, 100, 502));
        var both = Stream.generate(() -> CompletableFuture.supplyAsync(() -> test.inbox.undo(caller, run)))
                .limit(2)
                .toList();
        assertThat(both.stream().mapToInt(one -> one.join().restored()).sum()).isEqualTo(100);
        assertThat(test.inbox.counts(caller)).isEqualTo(new InboxCounts(602, 0, 0, 0, 602));
    }
}
