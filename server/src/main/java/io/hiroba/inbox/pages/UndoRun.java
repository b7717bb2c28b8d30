package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.Snooze;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Undoes actions on items. */
final class UndoRun {

    private final Inbox inbox;
    private final Caller caller;
    private final Instant now;
    private final List<InboxItem> restored = new ArrayList<>();
    private int refused;

    UndoRun(Inbox inbox, Caller caller) {
        this.inbox = inbox;
        this.caller = caller;
        this.now = inbox.now();
    }

    ItemBatches.Result of(List<UndoStep> steps) {
        for (var to : UndoStep.To.values()) {
            var matching = steps.stream().filter(step -> step.to() == to).toList();
            if (!matching.isEmpty()) {
                apply(to, matching);
            }
        }
        return new ItemBatches.Result(List.copyOf(restored), refused);
    }

    private void apply(UndoStep.To to, List<UndoStep> steps) {
        switch (to) {
            case TODO -> restored.addAll(toTodo(steps));
            case SNOOZED -> toSnoozed(steps);
            case DONE -> toDone(steps);
            case SAVED -> each(steps, ids -> inbox.save(caller, ids));
            case UNSAVED -> each(steps, ids -> inbox.unsave(caller, ids));
            case READ -> each(steps, ids -> inbox.read(caller, ids));
            case UNREAD -> each(steps, ids -> inbox.unread(caller, ids));
        }
    }

    private void each(List<UndoStep> steps, ItemBatches.Change change) {
        restored.addAll(ItemBatches.each(ids(steps.stream()), change));
    }

    private static List<ItemId> ids(Stream<UndoStep> steps) {
        return steps.map(UndoStep::id).toList();
    }

    /** Moves items to the list to do from any state. Those that had been woken before get that time back. */
    private List<InboxItem> toTodo(List<UndoStep> steps) {
        var result = ItemBatches.restore(ids(steps.stream()), ids -> inbox.restore(caller, ids));
        refused += result.refused();
        var ids = idsOf(result.items());
        var open = steps.stream().filter(step -> ids.contains(step.id())).toList();
        var todo = new ArrayList<>(ItemBatches.each(
                ids(open.stream().filter(step -> step.wokenAt(now).isEmpty())),
                batch -> inbox.unsnooze(caller, batch)));
        for (var step : open) {
            step.wokenAt(now).ifPresent(time -> todo.addAll(inbox.unsnooze(caller, List.of(step.id()), time)));
        }
        return todo;
    }

    private static Set<ItemId> idsOf(Collection<InboxItem> items) {
        return items.stream().map(InboxItem::id).collect(Collectors.toSet());
    }

    private void toSnoozed(List<UndoStep> steps) {
        var todo = toTodo(steps.stream().map(UndoStep::asTodo).toList());
        var ids = idsOf(todo);
        for (var step : steps) {
            if (ids.contains(step.id())) {
                restored.addAll(step.snooze(now)
                        .filter(snooze -> isPossible(step.id(), snooze))
                        .map(snooze -> inbox.snooze(caller, List.of(step.id()), snooze))
                        .orElseGet(() -> todo.stream()
                                .filter(item -> item.id().equals(step.id()))
                                .toList()));
            }
        }
    }

    /** Whether what it was snoozed until can still happen. */
    private boolean isPossible(ItemId id, Snooze snooze) {
        return snooze.event()
                .map(event -> inbox.snoozeEvents(caller, List.of(id))
                        .getOrDefault(id, Set.of())
                        .contains(event))
                .orElse(true);
    }

    private void toDone(List<UndoStep> steps) {
        for (var by : Resolution.values()) {
            each(steps.stream().filter(step -> step.resolution() == by).toList(), ids -> inbox.done(caller, ids, by));
        }
    }
}
