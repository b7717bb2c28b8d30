package io.hiroba.inbox.items;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's items, and what they do with them. Nobody sees or changes another's: their ids are as good as unknown.
 * What is changed as a whole is changed in one transaction, or not at all.
 */
public final class Inbox {

    /** How many items one call changes at most. */
    public static final int MOST = 100;

    private static final int BATCH = 500;
    private static final Duration LONGEST = Duration.ofDays(366);

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final Zones zones;
    private final WakeSignal snoozed;
    private final ItemLists lists;
    private final ItemStore store = new ItemStore();
    private final CountStore counts = new CountStore();

    /** @param snoozed is raised when an item has been put off until a time */
    public Inbox(Db db, InstantSource clock, ItemListener listener, Zones zones, ItemLists lists, WakeSignal snoozed) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.zones = zones;
        this.lists = lists;
        this.snoozed = snoozed;
    }

    public ItemPage list(Caller caller, InboxFilter filter, Optional<Position> after, int limit) {
        return lists.page(caller.user(), filter, after, limit);
    }

    public Item item(Caller caller, ItemId id) {
        return db.read(reads -> store.find(reads, caller.user(), id)).orElseThrow(InboxProblem::itemNotFound);
    }

    /** Those of these items that are there. */
    public List<Item> items(Caller caller, Collection<ItemId> ids) {
        return db.read(reads -> store.find(reads, caller.user(), ids));
    }

    public Counts counts(Caller caller) {
        return db.read(reads -> counts.counts(reads, caller.user()));
    }

    public Menus menus(Caller caller) {
        var kinds = db.read(reads -> counts.kinds(reads, caller.user()));
        var actions = new EnumMap<Action, Long>(Action.class);
        var types = new EnumMap<ResourceType, Long>(ResourceType.class);
        for (var kind : kinds) {
            actions.merge(kind.action(), kind.items(), Long::sum);
            types.merge(kind.type(), kind.items(), Long::sum);
        }
        return new Menus(actions, types);
    }

    /** What is done already stays as it is. */
    public List<Item> done(Caller caller, Collection<ItemId> ids, Resolution by) {
        return change(caller, ids, (tx, now) -> store.done(tx, caller.user(), ids, by, now));
    }

    /** Puts what is done among what is to do again. */
    public List<Item> restore(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.restore(tx, caller.user(), ids, now));
    }

    public List<Item> save(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.save(tx, caller.user(), ids, true, now));
    }

    public List<Item> unsave(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.save(tx, caller.user(), ids, false, now));
    }

    public List<Item> read(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.read(tx, caller.user(), ids, true, now));
    }

    public List<Item> unread(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.read(tx, caller.user(), ids, false, now));
    }

    /** Puts items off. One that is done cannot be: it would have to be restored first. */
    public List<Item> snooze(Caller caller, Collection<ItemId> ids, Snooze snooze) {
        var changed = change(caller, ids, (tx, now) -> {
            var until = snooze.end(now, zones.of(tx, caller.user()))
                    .map(end -> end.truncatedTo(ChronoUnit.MICROS))
                    .orElse(null);
            requireSoon(until, now);
            var event = snooze.event().map(Stir::text).orElse(null);
            int count = store.snooze(tx, caller.user(), ids, until, event, now);
            if (count < Set.copyOf(ids).size()) {
                throw InboxProblem.doneAlready();
            }
            return count;
        });
        snoozed.raise();
        return changed;
    }

    private static void requireSoon(@Nullable Instant until, Instant now) {
        if (until == null) {
            return;
        }
        if (!until.isAfter(now)) {
            throw InboxProblem.invalid("until", "must be in the future");
        }
        if (until.isAfter(now.plus(LONGEST))) {
            throw InboxProblem.invalid("until", "must be within a year");
        }
    }

    /** Takes back that items were put off; what is not stays as it is. */
    public List<Item> unsnooze(Caller caller, Collection<ItemId> ids) {
        return change(caller, ids, (tx, now) -> store.unsnooze(tx, caller.user(), ids, null, now));
    }

    /** As {@link #unsnooze}, for items that had come back at that time before they were put off again. */
    public List<Item> comeBack(Caller caller, Collection<ItemId> ids, Instant time) {
        return change(caller, ids, (tx, now) -> store.unsnooze(tx, caller.user(), ids, time, now));
    }

    /**
     * Is done with everything that a list shows, and answers how many there were. It goes by the newest first, so that
     * what comes meanwhile is left alone, and in transactions of their own, so that nobody waits for all of it.
     */
    public long doneAll(Caller caller, InboxFilter filter, Resolution by) {
        return doneAll(caller, filter, null, by);
    }

    /**
     * As {@link #doneAll(Caller, InboxFilter, Resolution)}, for what was there when somebody looked.
     *
     * @param newest what is newer than this is left alone; nothing is if there is none
     */
    public long doneAll(Caller caller, InboxFilter filter, @Nullable ItemId newest, Resolution by) {
        if (filter.view() == View.DONE) {
            return 0;
        }
        return lists.asked(caller.user(), filter.sorted(Sort.NEWEST))
                .map(asked -> doneAll(caller, asked, newest, by))
                .orElse(0L);
    }

    private long doneAll(Caller caller, Asked asked, @Nullable ItemId newest, Resolution by) {
        long count = 0;
        var after = Optional.ofNullable(newest)
                .filter(id -> id.value() < Long.MAX_VALUE)
                .map(id -> new Position(Instant.EPOCH, new ItemId(id.value() + 1)));
        do {
            var entries = lists.walk(asked, after, BATCH);
            after = lists.next(entries, BATCH);
            var ids = entries.stream()
                    .filter(Entry::matched)
                    .map(entry -> entry.position().id())
                    .toList();
            count += ids.isEmpty() ? 0 : doneIn(caller.user(), asked.filter().view(), ids, by);
        } while (after.isPresent());
        return count;
    }

    private int doneIn(UserId user, View view, List<ItemId> ids, Resolution by) {
        return db.inTransaction(tx -> {
            int changed = store.doneIn(tx, user, view, ids, by, clock.instant());
            tell(tx, user, changed);
            return changed;
        });
    }

    private interface Change {
        int make(Tx tx, Instant now);
    }

    /** Makes a change to items that must all be there, and answers them as they are then. */
    private List<Item> change(Caller caller, Collection<ItemId> ids, Change change) {
        if (ids.size() > MOST) {
            throw InboxProblem.invalid("ids", "must be at most %d".formatted(MOST));
        }
        var user = caller.user();
        return db.inTransaction(tx -> {
            var there = store.lock(tx, user, ids);
            var missing = ids.stream().filter(id -> !there.contains(id)).collect(Collectors.toSet());
            if (!missing.isEmpty()) {
                throw ids.size() == 1 ? InboxProblem.itemNotFound() : InboxProblem.itemsNotFound(missing);
            }
            tell(tx, user, change.make(tx, clock.instant()));
            return store.find(tx, user, ids);
        });
    }

    private void tell(Tx tx, UserId user, int changed) {
        if (changed > 0) {
            listener.changed(tx, List.of(user));
        }
    }
}
