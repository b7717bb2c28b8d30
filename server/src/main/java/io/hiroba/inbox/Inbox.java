package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WakeSignal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The facade of a user's items: lists, counts and changes. The ids of other users' items are treated as unknown. A call
 * changes all of its items in one transaction, or none.
 */
public final class Inbox {

    public static final int MAX_ITEMS_PER_CALL = 100;

    private static final Duration MAX_SNOOZE = Duration.ofDays(366);

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final ZoneId serverZone;
    private final WakeSignal snoozed;
    private final ItemLists lists;
    private final DoneAll doneAll;
    private final ApprovalLookup approvals;
    private final ItemStore store = new ItemStore();
    private final ItemCountStore counts = new ItemCountStore();

    /**
     * Composes it.
     *
     * @param serverZone for users who have not set theirs
     * @param snoozed is raised when an item is snoozed until a time
     * @param approvals tells what the items that ask for an approval are about
     */
    public Inbox(
            Db db,
            InstantSource clock,
            ItemListener listener,
            ZoneId serverZone,
            ItemLists lists,
            WakeSignal snoozed,
            InboxPorts.ApprovalSummaries approvals) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.serverZone = serverZone;
        this.lists = lists;
        this.doneAll = new DoneAll(db, clock, listener, lists);
        this.snoozed = snoozed;
        this.approvals = new ApprovalLookup(approvals);
    }

    /** The time by which snoozes begin and end. */
    public Instant now() {
        return clock.instant();
    }

    public ItemPage list(Caller caller, InboxFilter filter, Optional<ItemPosition> after, int limit) {
        var page = lists.page(caller.user(), filter, after, limit);
        return page.items().stream().allMatch(item -> item.approval() == null)
                ? page
                : new ItemPage(db.read(reads -> approvals.complete(reads, page.items())), page.next());
    }

    public InboxItem item(Caller caller, ItemId id) {
        return db.read(reads -> store.find(reads, caller.user(), id).map(item -> approvals.complete(reads, item)))
                .orElseThrow(InboxProblem::itemNotFound);
    }

    /** Finds those of the items that exist. */
    public List<InboxItem> items(Caller caller, Collection<ItemId> ids) {
        return db.read(reads -> approvals.complete(reads, store.find(reads, caller.user(), ids)));
    }

    public InboxCounts counts(Caller caller) {
        return db.read(reads -> counts.counts(reads, caller.user()));
    }

    /** The counts of the lists and of the options of filters, all of one moment. */
    public FilterCounts filterCounts(Caller caller) {
        var tallies = db.read(reads -> counts.tallies(reads, caller.user()));
        var actions = new EnumMap<Action, Long>(Action.class);
        var types = new EnumMap<ResourceType, Long>(ResourceType.class);
        var items = new EnumMap<ItemState, Long>(ItemState.class);
        long saved = 0;
        long unread = 0;
        for (var tally : tallies) {
            items.merge(tally.state(), tally.items(), Long::sum);
            saved += tally.saved();
            if (tally.state() == ItemState.TODO) {
                unread += tally.unread();
                actions.merge(tally.action(), tally.items(), Long::sum);
                types.merge(tally.type(), tally.items(), Long::sum);
            }
        }
        var lists = new InboxCounts(
                items.getOrDefault(ItemState.TODO, 0L),
                items.getOrDefault(ItemState.SNOOZED, 0L),
                saved,
                items.getOrDefault(ItemState.DONE, 0L),
                unread);
        return new FilterCounts(lists, actions, types);
    }

    /** Marks items as done; those that are done already stay as they are. */
    public List<InboxItem> done(Caller caller, Collection<ItemId> ids, Resolution by) {
        return change(caller, ids, (tx, now) -> store.done(tx, caller.user(), ids, by, now));
    }

    public List<InboxItem> restore(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.restore(tx, caller.user(), ids, now));
    }

    public List<InboxItem> save(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.save(tx, caller.user(), ids, true, now));
    }

    public List<InboxItem> unsave(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.save(tx, caller.user(), ids, false, now));
    }

    public List<InboxItem> read(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.read(tx, caller.user(), ids, true, now));
    }

    public List<InboxItem> unread(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.read(tx, caller.user(), ids, false, now));
    }

    /** Finds the events which each of the items may be snoozed until. */
    public Map<ItemId, Set<SnoozeEvent>> snoozeEvents(Caller caller, Collection<ItemId> ids) {
        return db.read(reads -> store.snoozeEvents(reads, caller.user(), ids));
    }

    /** Snoozes items. One that is done is a problem: it has to be restored first. */
    public List<InboxItem> snooze(Caller caller, Collection<ItemId> ids, Snooze snooze) {
        var changed = change(caller, ids, (tx, now) -> {
            snooze.event().ifPresent(event -> requirePossible(tx, caller.user(), ids, event));
            var until = snooze.end(now, zone(tx, caller.user()))
                    .map(end -> end.truncatedTo(ChronoUnit.MICROS))
                    .orElse(null);
            requireWithinYear(until, now);
            var event = snooze.event().map(SnoozeEvent::text).orElse(null);
            int count = store.snooze(tx, caller.user(), ids, until, event, now);
            if (count < Set.copyOf(ids).size()) {
                throw InboxProblem.doneAlready();
            }
            return count;
        });
        snoozed.raise();
        return changed;
    }

    /** The zone of the user's account, or the server's. A newer node may have stored one that this JVM does not know. */
    private ZoneId zone(Reads reads, UserId user) {
        try {
            return store.zone(reads, user).map(ZoneId::of).orElse(serverZone);
        } catch (DateTimeException e) {
            return serverZone;
        }
    }

    private void requirePossible(Reads reads, UserId user, Collection<ItemId> ids, SnoozeEvent event) {
        if (!store.snoozeEvents(reads, user, ids).values().stream().allMatch(events -> events.contains(event))) {
            throw InboxProblem.invalid(
                    "untilEvent",
                    Text.of(event == SnoozeEvent.MERGE ? "inbox.field.mergeable" : "inbox.field.has-pipelines"));
        }
    }

    private static void requireWithinYear(@Nullable Instant until, Instant now) {
        if (until == null) {
            return;
        }
        if (!until.isAfter(now)) {
            throw InboxProblem.invalid("until", Text.of("inbox.field.future"));
        }
        if (until.isAfter(now.plus(MAX_SNOOZE))) {
            throw InboxProblem.invalid("until", Text.of("inbox.field.within-year"));
        }
    }

    /** Ends the snooze of items; those that are not snoozed stay as they are. */
    public List<InboxItem> unsnooze(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.unsnooze(tx, caller.user(), ids, null, now));
    }

    /** As above, for items that had been woken at {@code wokenAt} before they were snoozed again. */
    public List<InboxItem> unsnooze(Caller caller, Collection<ItemId> ids, Instant wokenAt) {
        return change(caller, ids, (tx, now) -> store.unsnooze(tx, caller.user(), ids, wokenAt, now));
    }

    /** Marks all items of a list as done; returns how many. Items which arrive meanwhile are left alone. */
    public long doneAll(Caller caller, InboxFilter filter, Resolution by) {
        return doneAll.run(caller.user(), filter, null, by, null);
    }

    /**
     * As {@link #doneAll}, for the items that a page has shown, so that {@link #undo} can bring them back.
     *
     * @param newest newer items are left alone; null for all
     * @param run of the caller's choice, and another each time
     */
    public long markAllDone(Caller caller, InboxFilter filter, @Nullable ItemId newest, UUID run) {
        return doneAll.run(caller.user(), filter, newest, Resolution.MARK_ALL_DONE, run);
    }

    /** Brings back what a run of {@link #markAllDone} has finished, as it was; what was changed since stays as it is. */
    public Undone undo(Caller caller, UUID run) {
        var undone = doneAll.undo(caller.user(), run);
        snoozed.raise();
        return undone;
    }

    private interface Change {
        int make(Tx tx, Instant now);
    }

    /** Changes items, all of which must exist, and returns them as they are then. */
    private List<InboxItem> change(Caller caller, Collection<ItemId> ids, Change change) {
        if (ids.size() > MAX_ITEMS_PER_CALL) {
            throw InboxProblem.invalid("ids", Text.of("inbox.field.at-most", "max", MAX_ITEMS_PER_CALL));
        }
        var user = caller.user();
        return db.inTransaction(tx -> {
            var existing = store.lock(tx, user, ids);
            var missing = ids.stream().filter(id -> !existing.contains(id)).collect(Collectors.toSet());
            if (!missing.isEmpty()) {
                throw ids.size() == 1 ? InboxProblem.itemNotFound() : InboxProblem.itemsNotFound(missing);
            }
            publish(tx, user, change.make(tx, clock.instant()));
            return approvals.complete(tx, store.find(tx, user, ids));
        });
    }

    private void publish(Tx tx, UserId user, int changed) {
        if (changed > 0) {
            listener.changed(tx, List.of(user));
        }
    }

    /**
     * The result of an undo.
     *
     * @param restored how many items are as they were
     * @param refused how many stay done, because the same was requested again
     */
    public record Undone(int restored, int refused) {

        Undone plus(Undone other) {
            return new Undone(restored + other.restored, refused + other.refused);
        }
    }

    /**
     * The numbers of a user's items.
     *
     * @param actions of the items to do, for the options of filters, as {@code types}
     */
    public record FilterCounts(InboxCounts lists, Map<Action, Long> actions, Map<ResourceType, Long> types) {}
}
