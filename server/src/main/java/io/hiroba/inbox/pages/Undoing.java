package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.inbox.items.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Brings items back to how they were before somebody did something with them. */
final class Undoing {

    private final Inbox inbox;
    private final Caller caller;
    private final Instant now;
    private final List<Item> back = new ArrayList<>();
    private int refused;

    Undoing(Inbox inbox, Caller caller, Instant now) {
        this.inbox = inbox;
        this.caller = caller;
        this.now = now;
    }

    Batches.Result of(List<Undo> these) {
        for (var to : Undo.To.values()) {
            var some = these.stream().filter(undo -> undo.to() == to).toList();
            if (!some.isEmpty()) {
                bringBack(to, some);
            }
        }
        return new Batches.Result(List.copyOf(back), refused);
    }

    private void bringBack(Undo.To to, List<Undo> these) {
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

    private void each(List<Undo> these, Batches.Change change) {
        back.addAll(Batches.each(ids(these.stream()), change));
    }

    private static List<ItemId> ids(Stream<Undo> these) {
        return these.map(Undo::id).toList();
    }

    /** From wherever they are by now; what had come back already is where it came back. */
    private List<Item> toTodo(List<Undo> these) {
        var restored = Batches.restored(ids(these.stream()), ids -> inbox.restore(caller, ids));
        refused += restored.refused();
        var there = idsOf(restored.items());
        var open = these.stream().filter(undo -> there.contains(undo.id())).toList();
        var todo = new ArrayList<>(Batches.each(
                ids(open.stream().filter(undo -> undo.cameBack(now).isEmpty())), ids -> inbox.unsnooze(caller, ids)));
        for (var undo : open) {
            undo.cameBack(now).ifPresent(time -> todo.addAll(inbox.comeBack(caller, List.of(undo.id()), time)));
        }
        return todo;
    }

    private static Set<ItemId> idsOf(Collection<Item> items) {
        return items.stream().map(Item::id).collect(Collectors.toSet());
    }

    private void toSnoozed(List<Undo> these) {
        var todo = toTodo(these.stream().map(Undo::justTodo).toList());
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

    private void toDone(List<Undo> these) {
        for (var by : Resolution.values()) {
            each(these.stream().filter(undo -> undo.resolution() == by).toList(), ids -> inbox.done(caller, ids, by));
        }
    }
}
