package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.Resolution;
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
    private final List<InboxItem> back = new ArrayList<>();
    private int refused;

    UndoRun(Inbox inbox, Caller caller, Instant now) {
        this.inbox = inbox;
        this.caller = caller;
        this.now = now;
    }

    ItemBatches.Result of(List<UndoStep> these) {
        for (var to : UndoStep.To.values()) {
            var some = these.stream().filter(undo -> undo.to() == to).toList();
            if (!some.isEmpty()) {
                bringBack(to, some);
            }
        }
        return new ItemBatches.Result(List.copyOf(back), refused);
    }

    private void bringBack(UndoStep.To to, List<UndoStep> these) {
        switch (to) {
            case TODO -> back.addAll(toTodo(these));
            case SNOOZED -> toSnoozed(these);
            case DONE -> toDone(these);
            case SAVED -> each(these, ids -> inbox.save(caller, ids));
            case UNSAVED -> each(these, ids -> inbox.unsave(caller, ids));
            case READ -> each(these, ids -> inbox.read(caller, ids));
            case UNREAD -> each(these, ids -> inbox.unread(caller, ids));
        }
    }

    private void each(List<UndoStep> these, ItemBatches.Change change) {
        back.addAll(ItemBatches.each(ids(these.stream()), change));
    }

    private static List<ItemId> ids(Stream<UndoStep> these) {
        return these.map(UndoStep::id).toList();
    }

    /** From wherever they are by now; what had come back already is where it came back. */
    private List<InboxItem> toTodo(List<UndoStep> these) {
        var restored = ItemBatches.restored(ids(these.stream()), ids -> inbox.restore(caller, ids));
        refused += restored.refused();
        var there = idsOf(restored.items());
        var open = these.stream().filter(undo -> there.contains(undo.id())).toList();
        var todo = new ArrayList<>(ItemBatches.each(
                ids(open.stream().filter(undo -> undo.cameBack(now).isEmpty())), ids -> inbox.unsnooze(caller, ids)));
        for (var undo : open) {
            undo.cameBack(now).ifPresent(time -> todo.addAll(inbox.comeBack(caller, List.of(undo.id()), time)));
        }
        return todo;
    }

    private static Set<ItemId> idsOf(Collection<InboxItem> items) {
        return items.stream().map(InboxItem::id).collect(Collectors.toSet());
    }

    private void toSnoozed(List<UndoStep> these) {
        var todo = toTodo(these.stream().map(UndoStep::justTodo).toList());
        var there = idsOf(todo);
        for (var undo : these) {
            if (there.contains(undo.id())) {
                back.addAll(undo.snooze(now)
                        .map(snooze -> inbox.snooze(caller, List.of(undo.id()), snooze))
                        .orElseGet(() -> todo.stream()
                                .filter(item -> item.id().equals(undo.id()))
                                .toList()));
            }
        }
    }

    private void toDone(List<UndoStep> these) {
        for (var by : Resolution.values()) {
            each(these.stream().filter(undo -> undo.resolution() == by).toList(), ids -> inbox.done(caller, ids, by));
        }
    }
}
