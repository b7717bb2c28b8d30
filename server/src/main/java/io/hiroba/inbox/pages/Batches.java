package io.hiroba.inbox.pages;

import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.inbox.items.Item;
import io.hiroba.platform.problem.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Changes to more items than one call takes. */
final class Batches {

    private Batches() {}

    @FunctionalInterface
    interface Change {
        List<Item> make(Collection<ItemId> ids);
    }

    /**
     * What a change came to.
     *
     * @param refused how many items stay as they are, because the same has been asked again
     */
    record Result(List<Item> items, int refused) {}

    static List<Item> each(List<ItemId> ids, Change change) {
        var changed = new ArrayList<Item>();
        for (int from = 0; from < ids.size(); from += Inbox.MOST) {
            changed.addAll(change.make(ids.subList(from, Math.min(ids.size(), from + Inbox.MOST))));
        }
        return changed;
    }

    /** As {@link #each}; a conflict of one item keeps none of the others back. Where there is nothing but conflicts, that is the problem. */
    static Result eachThatCan(List<ItemId> ids, Change change) {
        var changed = new ArrayList<Item>();
        int refused = 0;
        for (int from = 0; from < ids.size(); from += Inbox.MOST) {
            var batch = ids.subList(from, Math.min(ids.size(), from + Inbox.MOST));
            try {
                changed.addAll(change.make(batch));
            } catch (Problem refusal) {
                requireConflict(refusal);
                refused += oneByOne(batch, change, changed);
                if (refused == ids.size()) {
                    throw refusal;
                }
            }
        }
        return new Result(changed, refused);
    }

    private static int oneByOne(List<ItemId> batch, Change change, List<Item> changed) {
        int refused = 0;
        for (var id : batch) {
            try {
                changed.addAll(change.make(List.of(id)));
            } catch (Problem refusal) {
                requireConflict(refusal);
                refused++;
            }
        }
        return refused;
    }

    private static void requireConflict(Problem refusal) {
        if (refusal.kind() != Problem.Kind.CONFLICT) {
            throw refusal;
        }
    }
}
