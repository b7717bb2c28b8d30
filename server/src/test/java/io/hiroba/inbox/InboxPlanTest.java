package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.testkit.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What pages and counts read, of somebody with 10,000 items to do and 200,000 done. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class InboxPlanTest {

    private static final int LIMIT = 50;

    private TestInbox inbox;
    private UserId author;
    private Caller ann;
    private String partition;

    @BeforeAll
    void load() {
        inbox = new TestInbox();
        var user = inbox.user("ann");
        author = inbox.user("bob");
        ManyItems.load(inbox, user, author);
        ann = inbox.accounts.caller(user);
        partition = inbox.db
                .read(reads -> reads.query(
                                "SELECT tableoid::regclass::text FROM inbox.notifications WHERE user_id = :user LIMIT 1")
                        .bind("user", user.value())
                        .mapTo(String.class)
                        .one())
                .replace("inbox.", "");
    }

    @AfterAll
    void close() {
        assertThat(inbox.miscounted()).isEmpty();
        inbox.close();
    }

    private record Narrowing(
            Set<Action> actions,
            Set<ResourceType> types,
            @Nullable NamespaceId namespace,
            @Nullable String author) {

        InboxFilter in(InboxView view, ItemSort sort) {
            return new InboxFilter(view, actions, types, namespace, author, null, sort);
        }
    }

    private List<Narrowing> narrowings() {
        return List.of(
                new Narrowing(Set.of(), Set.of(), null, null),
                new Narrowing(Set.of(Action.ASSIGNED, Action.REVIEW_REQUESTED), Set.of(), null, null),
                new Narrowing(Set.of(Action.SSH_KEY_EXPIRED), Set.of(), null, null),
                new Narrowing(Set.of(), Set.of(ResourceType.MERGE_REQUEST), null, null),
                new Narrowing(Set.of(), Set.of(), new NamespaceId(1001), null),
                new Narrowing(Set.of(), Set.of(), new NamespaceId(2003), null),
                new Narrowing(Set.of(), Set.of(), null, "colleague3"),
                new Narrowing(Set.of(), Set.of(), null, author.hex()),
                new Narrowing(
                        Set.of(Action.ASSIGNED), Set.of(ResourceType.ISSUE), new NamespaceId(1002), "colleague5"));
    }

    private Stream<InboxFilter> filters() {
        return Stream.of(InboxView.values())
                .flatMap(view -> Stream.of(ItemSort.values())
                        .flatMap(sort -> narrowings().stream().map(narrowing -> narrowing.in(view, sort))));
    }

    private Plan plan(boolean generic, InboxFilter filter, Optional<ItemPosition> after) {
        var asked = inbox.lists.resolve(ann.user(), filter).orElseThrow();
        return Plan.of(
                inbox.db, generic, reads -> new ItemListStore().query(reads, Plan.LEAD, asked, after, LIMIT + 1));
    }

    @Test
    void everyViewOrderAndFilterIsOneBoundedWalkThatFetchesOnlyWhatIsShown() {
        filters().forEach(filter -> {
            var second = inbox.inbox.list(ann, filter, Optional.empty(), LIMIT).next();
            for (boolean generic : List.of(false, true)) {
                for (var after : new HashSet<>(List.of(Optional.<ItemPosition>empty(), second))) {
                    var plan = plan(generic, filter, after);
                    assertThat(plan.rowsReadOf(partition))
                            .as("%s %s", filter, plan)
                            .isLessThanOrEqualTo(LIMIT + 1);
                    assertThat(plan.entriesPassedOf(partition))
                            .as("%s %s", filter, plan)
                            .isLessThanOrEqualTo(ItemIndexScan.MAX_ENTRIES + LIMIT + 1);
                    // Putting the page itself in order is all that is sorted.
                    assertThat(plan.largestSort()).as("%s %s", filter, plan).isLessThanOrEqualTo(LIMIT + 1);
                }
            }
        });
    }

    @Test
    void anUnfilteredPagePassesNothingButItself() {
        for (var view : InboxView.values()) {
            for (var sort : ItemSort.values()) {
                for (boolean generic : List.of(false, true)) {
                    var plan = plan(generic, InboxFilter.of(view).sorted(sort), Optional.empty());
                    assertThat(plan.entriesPassedOf(partition))
                            .as("%s %s %s", view, sort, plan)
                            .isEqualTo((sort == ItemSort.RECOMMENDED ? 1L : 2L) * (LIMIT + 1));
                }
            }
        }
    }

    @Test
    void theItemsOfAResourceAreFoundByTheirLinks() {
        var about = new ResourceId(10_007);
        for (var view : InboxView.values()) {
            for (boolean generic : List.of(false, true)) {
                var filter = new InboxFilter(view, Set.of(), Set.of(), null, null, about, ItemSort.RECOMMENDED);
                var plan = plan(generic, filter, Optional.empty());
                long links = (ManyItems.TODO + ManyItems.SNOOZED + ManyItems.DONE) / 2_500 + 1;
                assertThat(plan.rowsReadOf(partition)).as("%s", plan).isLessThanOrEqualTo(links + LIMIT + 1);
            }
        }
    }

    @Test
    void countsReadAHandfulOfTallies() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(inbox.db, generic, reads -> new ItemCountStore().query(reads, Plan.LEAD, ann.user()));
            assertThat(plan.entriesPassed()).as("%s", plan).isLessThanOrEqualTo(60);
        }
        var counts = inbox.inbox.counts(ann);
        assertThat(counts.todo()).isEqualTo(ManyItems.TODO);
        assertThat(counts.snoozed()).isEqualTo(ManyItems.SNOOZED);
        assertThat(counts.done()).isEqualTo(ManyItems.DONE);
    }

    @Test
    void theNextToComeBackIsFoundWithoutPassingThoseThatComeLater() {
        for (boolean generic : List.of(false, true)) {
            for (var horizon : List.of(Instant.now(), Instant.now().plus(Duration.ofDays(1)))) {
                var plan = Plan.of(
                        inbox.db, generic, reads -> new ItemMaintenanceStore().nextQuery(reads, Plan.LEAD, horizon));
                long due = horizon.isAfter(Instant.now()) ? ManyItems.SNOOZED : 0;
                assertThat(plan.rowsReadOf(partition)).as("%s", plan).isZero();
                assertThat(plan.entriesPassedOf(partition)).as("%s", plan).isLessThanOrEqualTo(due);
            }
        }
    }

    @Test
    void aFilterThatMatchesNextToNothingLeadsThroughShortPagesToAllOfIt() {
        var filter = new InboxFilter(
                InboxView.DONE, Set.of(Action.MENTIONED), Set.of(), null, author.hex(), null, ItemSort.RECOMMENDED);
        var seen = new ArrayList<ItemId>();
        var after = Optional.<ItemPosition>empty();
        int pages = 0;
        do {
            var page = inbox.inbox.list(ann, filter, after, LIMIT);
            page.items().forEach(item -> seen.add(item.id()));
            after = page.next();
            pages++;
        } while (after.isPresent());
        assertThat(seen).hasSize(ManyItems.DONE / 1000).doesNotHaveDuplicates();
        assertThat(pages)
                .isBetween(ManyItems.DONE / ItemIndexScan.MAX_ENTRIES, ManyItems.DONE / ItemIndexScan.MAX_ENTRIES + 2);
    }
}
