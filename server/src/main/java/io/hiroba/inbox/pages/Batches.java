package io.hiroba.inbox.pages;

import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
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

    /**
     * As {@link #each}, for putting items back: those of which the same has been asked again stay done. Where that is all of
     * them, that is the problem.
     */
    static Result restored(List<ItemId> ids, Change change) {
        var changed = new ArrayList<Item>();
        int refused = 0;
        for (int from = 0; from < ids.size(); from += Inbox.MOST) {
            var batch = ids.subList(from, Math.min(ids.size(), from + Inbox.MOST));
            try {
                var answered = change.make(batch);
                answered.stream().filter(item -> item.state() != ItemState.DONE).forEach(changed::add);
                refused += (int) answered.stream()
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
