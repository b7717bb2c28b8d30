package io.hiroba.inbox.pages;

import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.platform.problem.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Changes more items than one call takes, in batches. */
final class ItemBatches {

    private ItemBatches() {}

    @FunctionalInterface
    interface Change {
        List<InboxItem> make(Collection<ItemId> ids);
    }

    /**
     * The result of a change.
     *
     * @param refused how many items stay done, because the same was requested again
     */
    record Result(List<InboxItem> items, int refused) {}

    static List<InboxItem> each(List<ItemId> ids, Change change) {
        var changed = new ArrayList<InboxItem>();
        for (int from = 0; from < ids.size(); from += Inbox.MAX_ITEMS_PER_CALL) {
            changed.addAll(change.make(ids.subList(from, Math.min(ids.size(), from + Inbox.MAX_ITEMS_PER_CALL))));
        }
        return changed;
    }

    /**
     * As {@link #each}, for restoring items. Those that were requested again stay done; if that is all of them, it is a
     * problem.
     */
    static Result restore(List<ItemId> ids, Change change) {
        var changed = new ArrayList<InboxItem>();
        int refused = 0;
        for (int from = 0; from < ids.size(); from += Inbox.MAX_ITEMS_PER_CALL) {
            var batch = ids.subList(from, Math.min(ids.size(), from + Inbox.MAX_ITEMS_PER_CALL));
            try {
                var returned = change.make(batch);
                returned.stream().filter(item -> item.state() != ItemState.DONE).forEach(changed::add);
                refused += (int) returned.stream()
                        .filter(item -> item.state() == ItemState.DONE)
                        .count();
            } catch (Problem refusal) {
                requireConflict(refusal);
                refused += batch.size();
                if (refused == ids.size()) {
                    throw refusal;
                }
            }
        }
        return new Result(changed, refused);
    }

    private static void requireConflict(Problem refusal) {
        if (refusal.kind() != Problem.Kind.CONFLICT) {
            throw refusal;
        }
    }
}
