package io.hiroba.activity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A card in memory while a batch changes it. Of a card whose acts are in the table it holds the newest, and all acts of the
 * actors of the batch; of any other card it holds them all.
 */
final class CardDraft {

    private final CardKey key;
    private final CardPayload before;
    private final Map<ActRecord.Id, ActRecord> known = new HashMap<>();
    private final Map<Long, Integer> perActor = new HashMap<>();
    private final Map<ActRecord.Id, ActRecord> added = new HashMap<>();
    private final Set<ActRecord.Id> removed = new HashSet<>();
    private boolean inTable;
    private boolean cleared;
    private int users;
    private int acts;

    /** @param before {@link CardPayload#EMPTY} for a new card */
    CardDraft(CardKey key, CardPayload before) {
        this.key = key;
        this.before = before;
        this.users = before.users();
        this.acts = before.posts();
        this.inTable = acts > CardPayload.MAX_ACTS;
        if (!inTable) {
            before.acts().forEach(this::know);
        }
    }

    CardKey key() {
        return key;
    }

    /** Whether its acts are in the table card_acts. */
    boolean isInTable() {
        return inTable;
    }

    void know(ActRecord act) {
        if (known.put(act.id(), act) == null) {
            perActor.merge(act.actor(), 1, Integer::sum);
        }
    }

    void add(ActRecord act) {
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

    void remove(ActRecord.Id id) {
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

    void removeAllOf(long actor) {
        known.keySet().stream().filter(id -> id.actor() == actor).toList().forEach(this::remove);
    }

    void clear() {
        cleared |= existed();
        inTable = false;
        users = 0;
        acts = 0;
        known.clear();
        perActor.clear();
        added.clear();
        removed.clear();
    }

    private boolean existed() {
        return !before.equals(CardPayload.EMPTY);
    }

    boolean isChanged() {
        return cleared || !added.isEmpty() || !removed.isEmpty();
    }

    /** Whether it has acts that the reader has not seen. */
    boolean hasNewActs() {
        return !added.isEmpty();
    }

    /** Whether its row is deleted, even if another one takes its place. */
    boolean dropsRow() {
        return cleared || (existed() && acts == 0);
    }

    boolean isEmpty() {
        return acts == 0;
    }

    /** Whether the payload has to be read from the table again: an act was removed from it. */
    boolean needsRefill() {
        return inTable && !removed.isEmpty();
    }

    /** Whether it has so few acts again that the payload holds them all. */
    boolean leavesTable() {
        return inTable && acts <= CardPayload.MAX_ACTS;
    }

    /** Acts to insert into the table, of a card that is in it. */
    Collection<ActRecord> tableAdditions() {
        return inTable ? added.values() : List.of();
    }

    Collection<ActRecord.Id> tableRemovals() {
        return inTable ? removed : List.of();
    }

    /** All its acts, if they have become too many for the payload. */
    Collection<ActRecord> overflow() {
        return !inTable && acts > CardPayload.MAX_ACTS ? known.values() : List.of();
    }

    /** @param refill the newest acts of the table, for a card that {@link #needsRefill()} */
    CardPayload payload(List<ActRecord> refill) {
        if (!inTable) {
            return new CardPayload(CardPayload.newest(known.values()), users, acts);
        }
        if (needsRefill()) {
            return new CardPayload(refill, users, acts);
        }
        var shown = new ArrayList<>(before.acts());
        shown.addAll(added.values());
        return new CardPayload(CardPayload.newest(shown), users, acts);
    }
}
