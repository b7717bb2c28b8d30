package io.hiroba.activity.collect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A card while a batch changes it. Of a card whose acts have a table of their own it knows the newest, and all acts of
 * those whom the batch is about; of any other card it knows them all.
 */
final class CardDraft {

    private final CardKey key;
    private final Payload before;
    private final Map<Act.Id, Act> known = new HashMap<>();
    private final Map<Long, Integer> perActor = new HashMap<>();
    private final Map<Act.Id, Act> added = new HashMap<>();
    private final Set<Act.Id> removed = new HashSet<>();
    private boolean tabled;
    private boolean cleared;
    private int users;
    private int acts;

    /** {@code before} is {@link Payload#EMPTY} for a card that is not there. */
    CardDraft(CardKey key, Payload before) {
        this.key = key;
        this.before = before;
        this.users = before.users();
        this.acts = before.posts();
        this.tabled = acts > Payload.MOST;
        if (!tabled) {
            before.acts().forEach(this::know);
        }
    }

    CardKey key() {
        return key;
    }

    /** Whether its acts are in the table, which then has to be asked for those of the people concerned. */
    boolean isTabled() {
        return tabled;
    }

    void know(Act act) {
        if (known.put(act.id(), act) == null) {
            perActor.merge(act.actor(), 1, Integer::sum);
        }
    }

    void add(Act act) {
        if (known.containsKey(act.id())) {
            return;
        }
        acts++;
        if (!perActor.containsKey(act.actor())) {
            users++;
        }
        know(act);
        added.put(act.id(), act);
    }

    void withdraw(Act.Id id) {
        if (known.remove(id) == null) {
            return;
        }
        acts--;
        if (perActor.merge(id.actor(), -1, Integer::sum) == 0) {
            perActor.remove(id.actor());
            users--;
        }
        if (added.remove(id) == null) {
            removed.add(id);
        }
    }

    void withdrawAllOf(long actor) {
        known.keySet().stream().filter(id -> id.actor() == actor).toList().forEach(this::withdraw);
    }

    void clear() {
        cleared |= existed();
        tabled = false;
        users = 0;
        acts = 0;
        known.clear();
        perActor.clear();
        added.clear();
        removed.clear();
    }

    private boolean existed() {
        return !before.equals(Payload.EMPTY);
    }

    boolean isChanged() {
        return cleared || !added.isEmpty() || !removed.isEmpty();
    }

    /** Whether there is something in it that the reader has not seen. */
    boolean isNews() {
        return !added.isEmpty();
    }

    /** Whether its row is to go, be it that another one comes in its place. */
    boolean dropsRow() {
        return cleared || (existed() && acts == 0);
    }

    boolean isEmpty() {
        return acts == 0;
    }

    /** Whether what it shows has to be read from the table: something that it showed is gone. */
    boolean wantsRefill() {
        return tabled && !removed.isEmpty();
    }

    /** Whether it has come to have so few acts again that it holds them itself. */
    boolean leavesTable() {
        return tabled && acts <= Payload.MOST;
    }

    /** Acts that the table lacks, of a card that is in it. */
    Collection<Act> tableAdditions() {
        return tabled ? added.values() : List.of();
    }

    Collection<Act.Id> tableRemovals() {
        return tabled ? removed : List.of();
    }

    /** All its acts, if they have become too many for the card itself. */
    Collection<Act> overflow() {
        return !tabled && acts > Payload.MOST ? known.values() : List.of();
    }

    /** What it holds now; {@code refill} are the newest acts of the table, for one that {@link #wantsRefill()}. */
    Payload payload(List<Act> refill) {
        if (!tabled) {
            return new Payload(Payload.newest(known.values()), users, acts);
        }
        if (wantsRefill()) {
            return new Payload(refill, users, acts);
        }
        var shown = new ArrayList<>(before.acts());
        shown.addAll(added.values());
        return new Payload(Payload.newest(shown), users, acts);
    }
}
