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
import io.hiroba.inbox.fanout.PersonDescription;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InboxTest {

    private TestInbox test;
    private Inbox inbox;

    @BeforeAll
    void open() {
        test = new TestInbox();
        inbox = test.inbox;
    }

    @AfterAll
    void close() {
        assertThat(test.miscounted()).isEmpty();
        test.close();
    }

    private Caller caller(ExternalPerson person) {
        return test.accounts.caller(Objects.requireNonNull(person.user()));
    }

    private void notifyPerson(ExternalPerson person, Resource about, Action action) {
        test.notifyPeople(NotificationRequest.of(about, action, NotificationAuthor.NOBODY, NOON), person);
        test.accounts.clock.advance(Duration.ofSeconds(1));
    }

    private List<ItemId> ids(Caller caller, InboxFilter filter) {
        return inbox.list(caller, filter, Optional.empty(), 50).items().stream()
                .map(InboxItem::id)
                .toList();
    }

    private List<ItemId> ids(Caller caller, InboxView view) {
        return ids(caller, InboxFilter.of(view));
    }

    /** Somebody with three items to do, the newest first. */
    private Caller withThree(String name) {
        var ann = test.linked(name);
        notifyPerson(ann, test.issue("three/" + name, name + "-1"), Action.ASSIGNED);
        notifyPerson(ann, test.mergeRequest("three/" + name + "/deep", name + "-2"), Action.REVIEW_REQUESTED);
        notifyPerson(ann, test.issue("other/" + name, name + "-3"), Action.MENTIONED);
        return caller(ann);
    }

    @Test
    void anItemShowsWhatItIsAboutWhereAndWhoBroughtItAbout() {
        var ann = test.linked("ann1");
        var bob = test.linked("bob1");
        var issue = test.issue("a/b", "i1");
        test.notifyPeople(NotificationRequest.of(issue, Action.ASSIGNED, NotificationAuthor.of(bob), NOON), ann);
        var item = inbox.list(caller(ann), InboxFilter.of(InboxView.TODO), Optional.empty(), 10)
                .items()
                .getFirst();
        assertThat(item.resource())
                .isEqualTo(new InboxItem.Subject(
                        issue.id(), ResourceType.ISSUE, "Title of i1", "https://gitlab.example/i1", "opened", "issue"));
        assertThat(item.namespace()).isEqualTo(new InboxItem.Namespace(issue.namespace(), "a/b"));
        assertThat(item.author()).isEqualTo(new InboxItem.Author(bob.user(), "bob1", "bob1", null));
        assertThat(item.action()).isEqualTo(Action.ASSIGNED);
        assertThat(item.state()).isEqualTo(ItemState.TODO);
        assertThat(inbox.item(caller(ann), item.id())).isEqualTo(item);
    }

    @Test
    void theAddressOfAnAuthorIsNotShownToOthers() {
        var ann = test.linked("ann13");
        var bare = test.db.inTransaction(tx -> test.people.of(
                tx, TestInbox.GITLAB, new PersonDescription(null, null, "bare@example.org", null, null)));
        test.notifyPeople(
                NotificationRequest.of(test.issue("a/b", "i13"), Action.ASSIGNED, NotificationAuthor.of(bare), NOON),
                ann);
        var item = inbox.list(caller(ann), InboxFilter.of(InboxView.TODO), Optional.empty(), 1)
                .items()
                .getFirst();
        assertThat(item.author()).isEqualTo(new InboxItem.Author(null, "Somebody", null, null));
    }

    @Test
    void eachChangeMovesAnItemBetweenViewsAndCountsFollow() {
        var ann = withThree("ann2");
        var all = ids(ann, InboxView.TODO);
        assertThat(inbox.counts(ann)).isEqualTo(new InboxCounts(3, 0, 0, 0, 3));

        var done = inbox.done(ann, List.of(all.get(0)), Resolution.MARK_DONE).getFirst();
        assertThat(done.resolvedBy()).isEqualTo(Resolution.MARK_DONE);
        inbox.save(ann, List.of(all.get(0), all.get(1)));
        inbox.read(ann, List.of(all.get(1)));
        inbox.snooze(ann, List.of(all.get(2)), Snooze.preset("1h"));
        assertThat(inbox.counts(ann)).isEqualTo(new InboxCounts(1, 1, 2, 1, 0));
        assertThat(ids(ann, InboxView.SAVED)).containsExactly(all.get(0), all.get(1));
        assertThat(ids(ann, InboxView.SNOOZED)).containsExactly(all.get(2));
        assertThat(ids(ann, InboxView.DONE)).containsExactly(all.get(0));

        inbox.restore(ann, List.of(all.get(0)));
        inbox.unsave(ann, all);
        inbox.unread(ann, all);
        inbox.unsnooze(ann, all);
        assertThat(inbox.counts(ann)).isEqualTo(new InboxCounts(3, 0, 0, 0, 3));
        assertThat(ids(ann, InboxView.TODO)).isEqualTo(all);
    }

    @Test
    void doneOnASnoozedItemTakesTheSnoozeAway() {
        var ann = withThree("ann3");
        var all = ids(ann, InboxView.TODO);
        inbox.snooze(ann, List.of(all.get(0)), Snooze.untilEvent(SnoozeEvent.COMMENT));
        inbox.snooze(ann, List.of(all.get(1)), Snooze.preset("tomorrow"));
        var done = inbox.done(ann, all.subList(0, 2), Resolution.API_DONE);
        assertThat(done).allSatisfy(item -> {
            assertThat(item.snoozedUntil()).isNull();
            assertThat(item.snoozedEvent()).isNull();
        });
    }

    @Test
    void filtersNarrowAList() {
        var ann = withThree("ann4");
        var bob = test.linked("bob4");
        var user = Objects.requireNonNull(bob.user());
        var issue = test.issue("four", "i4");
        test.notifyPeople(
                NotificationRequest.of(issue, Action.ASSIGNED, NotificationAuthor.of(bob), NOON),
                new ExternalPerson(bob.id(), "x", ann.user()));
        var all = ids(ann, InboxView.TODO);
        var todo = InboxFilter.of(InboxView.TODO);
        assertThat(ids(ann, with(todo, Set.of(Action.ASSIGNED), Set.of()))).containsExactly(all.get(0), all.get(3));
        assertThat(ids(ann, with(todo, Set.of(), Set.of(ResourceType.MERGE_REQUEST))))
                .containsExactly(all.get(2));
        assertThat(ids(ann, with(todo, Set.of(Action.ASSIGNED), Set.of(ResourceType.MERGE_REQUEST))))
                .isEmpty();
        assertThat(ids(ann, by(todo, "BOB4"))).containsExactly(all.get(0));
        assertThat(ids(ann, by(todo, user.hex()))).containsExactly(all.get(0));
        assertThat(ids(ann, by(todo, "nobody"))).isEmpty();
        for (var sort : ItemSort.values()) {
            assertThat(ids(ann, new InboxFilter(InboxView.TODO, Set.of(), Set.of(), null, null, issue.id(), sort)))
                    .containsExactly(all.get(0));
        }
        var above = test.db
                .read(reads -> test.namespaces.find(reads, TestInbox.GITLAB, "three/ann4"))
                .orElseThrow();
        assertThat(ids(
                        ann,
                        new InboxFilter(InboxView.TODO, Set.of(), Set.of(), above.id(), null, null, ItemSort.OLDEST)))
                .containsExactly(all.get(3), all.get(2));
    }

    private static InboxFilter with(InboxFilter filter, Set<Action> actions, Set<ResourceType> types) {
        return new InboxFilter(filter.view(), actions, types, null, null, null, ItemSort.NEWEST);
    }

    private static InboxFilter by(InboxFilter filter, String author) {
        return new InboxFilter(filter.view(), Set.of(), Set.of(), null, author, null, ItemSort.RECOMMENDED);
    }

    @Test
    void wokenItemsAreRecommendedFirstAndTheSnoozedOnesByTheirEnd() {
        var ann = withThree("ann5");
        var all = ids(ann, InboxView.TODO);
        var now = test.accounts.clock.instant();
        inbox.snooze(ann, List.of(all.get(0)), Snooze.until(now.plusSeconds(300)));
        inbox.snooze(ann, List.of(all.get(1)), Snooze.until(now.plusSeconds(200)));
        inbox.snooze(ann, List.of(all.get(2)), Snooze.until(now.plusSeconds(100)));
        assertThat(ids(ann, InboxView.SNOOZED)).containsExactly(all.get(2), all.get(1), all.get(0));
        assertThat(ids(ann, InboxFilter.of(InboxView.SNOOZED).sorted(ItemSort.NEWEST)))
                .isEqualTo(all);
    }

    @Test
    void pagesGoOnBehindTheLastItemInEveryViewAndOrder() {
        var ann = withThree("ann6");
        var all = ids(ann, InboxView.TODO);
        inbox.save(ann, all);
        for (var view : List.of(InboxView.TODO, InboxView.SAVED)) {
            for (var sort : ItemSort.values()) {
                var filter = InboxFilter.of(view).sorted(sort);
                var seen = new ArrayList<ItemId>();
                var after = Optional.<ItemPosition>empty();
                int pages = 0;
                do {
                    var page = inbox.list(ann, filter, after, 1);
                    page.items().forEach(item -> seen.add(item.id()));
                    after = page.next();
                    pages++;
                } while (after.isPresent());
                assertThat(seen).isEqualTo(sort == ItemSort.OLDEST ? all.reversed() : all);
                assertThat(pages).isEqualTo(3);
            }
        }
    }

    @Test
    void anotherPersonsItemIsAsGoodAsUnknownAndNothingIsChangedIfOneIs() {
        var ann = withThree("ann7");
        var bob = withThree("bob7");
        var hers = ids(ann, InboxView.TODO);
        var his = ids(bob, InboxView.TODO);
        assertProblem("inbox.item-not-found", () -> inbox.item(bob, hers.getFirst()));
        assertProblem(
                "inbox.item-not-found",
                () -> inbox.done(bob, List.of(his.getFirst(), hers.getFirst()), Resolution.API_DONE));
        assertThat(ids(bob, InboxView.TODO)).isEqualTo(his);
        assertThat(ids(ann, InboxView.TODO)).isEqualTo(hers);
    }

    @Test
    void whatWasAskedAgainCannotBeRestoredBesideIt() {
        var ann = test.linked("ann8");
        var issue = test.issue("a/b", "i8");
        notifyPerson(ann, issue, Action.ASSIGNED);
        var first = ids(caller(ann), InboxView.TODO);
        inbox.done(caller(ann), first, Resolution.MARK_DONE);
        notifyPerson(ann, issue, Action.ASSIGNED);
        assertProblem("inbox.already-pending", () -> inbox.restore(caller(ann), first));
    }

    @Test
    void ofSeveralThatAreRestoredThoseStayDoneThatWouldBeTwice() {
        var ann = test.linked("ann80");
        var again = test.issue("a/b", "i80");
        var twice = test.issue("a/b", "i81");
        notifyPerson(ann, again, Action.ASSIGNED);
        for (int i = 0; i < 2; i++) {
            notifyPerson(ann, twice, Action.ASSIGNED);
            inbox.done(caller(ann), ids(caller(ann), InboxView.TODO), Resolution.MARK_DONE);
        }
        notifyPerson(ann, again, Action.ASSIGNED);
        var pending = ids(caller(ann), InboxView.TODO);
        var done = ids(caller(ann), InboxView.DONE);
        assertThat(done).hasSize(3);
        inbox.restore(caller(ann), done);
        var newest = done.stream().max(Comparator.comparingLong(ItemId::value)).orElseThrow();
        assertThat(ids(caller(ann), InboxView.TODO)).containsExactlyInAnyOrder(pending.getFirst(), newest);
        assertThat(ids(caller(ann), InboxView.DONE)).hasSize(2);
    }

    @Test
    void snoozingTakesOnlyTimesAheadAndItemsThatAreNotDone() {
        var ann = withThree("ann9");
        var all = ids(ann, InboxView.TODO);
        var now = test.accounts.clock.instant();
        assertProblem("inbox.invalid", () -> inbox.snooze(ann, all, Snooze.until(now)));
        assertProblem("inbox.invalid", () -> inbox.snooze(ann, all, Snooze.until(now.plus(Duration.ofDays(367)))));
        assertProblem("inbox.invalid", () -> inbox.snooze(ann, all, Snooze.preset("never")));
        inbox.done(ann, all.subList(0, 1), Resolution.MARK_DONE);
        assertProblem("inbox.item-done", () -> inbox.snooze(ann, all, Snooze.preset("1h")));
        assertThat(inbox.counts(ann)).isEqualTo(new InboxCounts(2, 0, 0, 1, 2));
    }

    @Test
    void doneWithAllTakesWhatTheListShowsAndNothingElse() {
        var ann = withThree("ann10");
        var all = ids(ann, InboxView.TODO);
        inbox.snooze(ann, all.subList(0, 1), Snooze.preset("4h"));
        var assigned = with(InboxFilter.of(InboxView.TODO), Set.of(Action.ASSIGNED), Set.of());
        assertThat(inbox.doneAll(ann, assigned, Resolution.API_ALL_DONE)).isEqualTo(1);
        assertThat(inbox.doneAll(ann, InboxFilter.of(InboxView.TODO), Resolution.MARK_ALL_DONE))
                .isEqualTo(1);
        assertThat(inbox.doneAll(ann, InboxFilter.of(InboxView.DONE), Resolution.MARK_ALL_DONE))
                .isZero();
        assertThat(inbox.counts(ann)).isEqualTo(new InboxCounts(0, 1, 0, 2, 0));
        assertThat(inbox.item(ann, all.get(2)).resolvedBy()).isEqualTo(Resolution.API_ALL_DONE);
        assertThat(inbox.item(ann, all.get(1)).resolvedBy()).isEqualTo(Resolution.MARK_ALL_DONE);
    }

    @Test
    void anUndoOfAllDoneBringsBackExactlyWhatItFinished() {
        var person = test.linked("ann14");
        var ann = caller(person);
        var issues = IntStream.range(0, 6)
                .mapToObj(i -> test.issue("undo", "undo-" + i))
                .toList();
        issues.forEach(issue -> notifyPerson(person, issue, Action.ASSIGNED));
        var all = ids(ann, InboxView.TODO).reversed();
        inbox.save(ann, all);
        var now = test.accounts.clock.instant();
        inbox.snooze(ann, all.subList(0, 1), Snooze.until(now.plusSeconds(600)));
        inbox.snooze(ann, all.subList(1, 2), Snooze.untilEvent(SnoozeEvent.COMMENT));
        inbox.snooze(ann, all.subList(2, 3), Snooze.preset("1h"));
        inbox.unsnooze(ann, all.subList(2, 3), now.minusSeconds(60).truncatedTo(ChronoUnit.SECONDS));
        var before = inbox.items(ann, all);
        var run = UUID.randomUUID();
        assertThat(inbox.markAllDone(ann, InboxFilter.of(InboxView.SAVED), null, run))
                .isEqualTo(6);
        assertThat(ids(ann, InboxView.DONE)).hasSize(6);

        test.accounts.clock.advance(Duration.ofSeconds(1));
        notifyPerson(person, issues.get(4), Action.ASSIGNED);
        notifyPerson(person, test.issue("undo", "undo-new"), Action.ASSIGNED);
        inbox.restore(ann, all.subList(5, 6));
        inbox.done(ann, all.subList(5, 6), Resolution.MARK_DONE);
        assertThat(inbox.undo(test.accounts.caller(test.user("eve14")), run)).isEqualTo(new Inbox.Undone(0, 0));
        assertThat(inbox.undo(ann, run)).isEqualTo(new Inbox.Undone(4, 1));
        assertThat(inbox.items(ann, all.subList(0, 4)))
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("updatedAt")
                .isEqualTo(before.subList(0, 4));
        assertThat(ids(ann, InboxView.DONE)).containsExactlyInAnyOrder(all.get(4), all.get(5));
        assertThat(inbox.counts(ann).todo()).isEqualTo(4);
        assertThat(inbox.undo(ann, run)).isEqualTo(new Inbox.Undone(0, 0));
    }

    @Test
    void afterADayNothingIsKeptForAnUndo() {
        var ann = withThree("ann15");
        var run = UUID.randomUUID();
        inbox.markAllDone(ann, InboxFilter.of(InboxView.TODO), null, run);
        test.accounts.clock.advance(Duration.ofHours(25));
        new ItemRetention(test.db, test.accounts.clock, test.silent, Duration.ofDays(90)).sweep();
        assertThat(inbox.undo(ann, run)).isEqualTo(new Inbox.Undone(0, 0));
        assertThat(inbox.counts(ann).done()).isEqualTo(3);
    }

    @Test
    void filterCountsCoverEachActionAndTypeToDo() {
        var ann = withThree("ann11");
        var counts = inbox.filterCounts(ann);
        assertThat(counts.actions())
                .containsOnlyKeys(Action.ASSIGNED, Action.MENTIONED, Action.REVIEW_REQUESTED)
                .containsEntry(Action.ASSIGNED, 1L);
        assertThat(counts.types()).containsEntry(ResourceType.ISSUE, 2L).containsEntry(ResourceType.MERGE_REQUEST, 1L);
    }

    @Test
    void listenersAreCalledForEachChangeAndOnlyForChanges() {
        var ann = withThree("ann12");
        var notified = new ArrayList<UserId>();
        var listening = test.inbox(new ItemListener() {
            @Override
            public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

            @Override
            public void changed(Tx tx, Collection<UserId> users) {
                notified.addAll(users);
            }
        });
        var all = ids(ann, InboxView.TODO);
        listening.done(ann, all.subList(0, 1), Resolution.API_DONE);
        listening.done(ann, all.subList(0, 1), Resolution.API_DONE);
        listening.unsnooze(ann, all);
        assertThat(notified).containsExactly(ann.user());
        listening.doneAll(ann, InboxFilter.of(InboxView.TODO), Resolution.API_ALL_DONE);
        assertThat(notified).hasSize(2);
    }

    private static void assertProblem(String code, Runnable action) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }
}
