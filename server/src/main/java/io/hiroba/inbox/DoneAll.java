package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Inbox.Undone;
import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Marks all items of a list as done, and undoes that. Both work in batches, each a transaction, so that nobody waits for a long
 * one. A batch writes down what it has finished, and one of an undo takes that: a run that dies in between leaves an undo for
 * what it has done, and an undo that dies is finished by another.
 */
final class DoneAll {

    private static final int BATCH_SIZE = 500;
    /** An item that is requested while a batch is restored fails it, and is seen by the next attempt. */
    private static final int MAX_ATTEMPTS = 5;

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final ItemLists lists;
    private final ItemStore store = new ItemStore();
    private final UndoStore undos = new UndoStore();

    DoneAll(Db db, InstantSource clock, ItemListener listener, ItemLists lists) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.lists = lists;
    }

    /**
     * Marks as done, from the newest item on; items that arrive meanwhile are left alone.
     *
     * @param newest newer items are left alone; null for all
     * @param undo the run that its undo will name; null if it is not to be undone
     */
    long run(UserId user, InboxFilter filter, @Nullable ItemId newest, Resolution by, @Nullable UUID undo) {
        if (filter.view() == InboxView.DONE) {
            return 0;
        }
        var resolved = lists.resolve(user, filter.sorted(ItemSort.NEWEST));
        if (resolved.isEmpty()) {
            return 0;
        }
        long count = 0;
        var after = Optional.ofNullable(newest)
                .filter(id -> id.value() < Long.MAX_VALUE)
                .map(id -> new ItemPosition(Instant.EPOCH, new ItemId(id.value() + 1)));
        do {
            var entries = lists.scan(resolved.get(), after, BATCH_SIZE);
            after = lists.next(entries, BATCH_SIZE);
            var ids = entries.stream()
                    .filter(ItemListStore.Entry::matched)
                    .map(entry -> entry.position().id())
                    .toList();
            count += ids.isEmpty() ? 0 : batch(user, filter.view(), ids, by, undo);
        } while (after.isPresent());
        return count;
    }

    private int batch(UserId user, InboxView view, List<ItemId> ids, Resolution by, @Nullable UUID undo) {
        return db.inTransaction(tx -> {
            var now = clock.instant();
            var listed = store.lockIn(tx, user, view, ids);
            if (listed.isEmpty()) {
                return 0;
            }
            if (undo != null) {
                undos.insert(tx, user, undo, listed, now);
            }
            int changed = store.done(tx, user, listed, by, now);
            publish(tx, user, changed);
            return changed;
        });
    }

    /** Brings back what a run has finished, but for what was changed since. */
    Undone undo(UserId user, UUID run) {
        var undone = new Undone(0, 0);
        Optional<Undone> batch;
        do {
            batch = restore(user, run);
            undone = undone.plus(batch.orElse(new Undone(0, 0)));
        } while (batch.isPresent());
        return undone;
    }

    private Optional<Undone> restore(UserId user, UUID run) {
        for (int attempt = 1; ; attempt++) {
            try {
                return db.inTransaction(tx -> restore(tx, user, run));
            } catch (DbException e) {
                if (!SqlState.is(e, SqlState.UNIQUE_VIOLATION) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Empty if nothing is left. */
    private Optional<Undone> restore(Tx tx, UserId user, UUID run) {
        var ids = undos.lock(tx, user, run, BATCH_SIZE);
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        store.lock(tx, user, ids);
        int restored = undos.restore(tx, user, run, ids, clock.instant());
        int refused = undos.countDone(tx, user, run, ids);
        undos.delete(tx, user, run, ids);
        publish(tx, user, restored);
        return Optional.of(new Undone(restored, refused));
    }

    private void publish(Tx tx, UserId user, int changed) {
        if (changed > 0) {
            listener.changed(tx, List.of(user));
        }
    }
}
