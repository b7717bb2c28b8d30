package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The facade of a reader's cards: lists, counts, and marks as read. Times are the database's clock's. */
final class Notifications {

    private static final int BATCH_SIZE = 500;

    private final Db db;
    private final Consumer<Set<UserId>> onMark;
    private final CardListStore store = new CardListStore();
    private final ReadStateStore readState = new ReadStateStore();

    Notifications(Db db) {
        this(db, readers -> {});
    }

    /** @param onMark takes the readers whose cards were marked, and must not wait */
    Notifications(Db db, Consumer<Set<UserId>> onMark) {
        this.db = db;
        this.onMark = onMark;
    }

    /** The newest 50 unread and the newest 50 read cards. */
    CardFeed newest(UserId reader) {
        return db.read(reads -> store.newest(reads, reader, null)).orElseThrow();
    }

    /**
     * As above, or nothing where no card has an act after {@code newerThan}. A time after the present is none that a card
     * had, unless the clock was set back since: then all are returned.
     */
    Optional<CardFeed> newest(UserId reader, Instant newerThan) {
        return db.read(reads -> store.newest(reads, reader, newerThan));
    }

    /** The read or the unread cards, the latest act first. */
    List<Card> page(UserId reader, boolean read, CardPosition after, int limit) {
        return db.read(reads -> page(reads, reader, read, after, limit));
    }

    /** As above, in the caller's transaction. */
    List<Card> page(Reads reads, UserId reader, boolean read, CardPosition after, int limit) {
        return store.page(reads, reader, read, after, limit);
    }

    /** How many are unread, counted up to {@code max}. */
    int unread(UserId reader, int max) {
        return db.read(reads -> store.unread(reads, reader, max));
    }

    UnreadCount unread(UserId reader) {
        return UnreadCount.of(db.read(reads -> store.unread(reads, reader, UnreadCount.MAX + 1)));
    }

    /**
     * Marks a card as read or unread, and returns what it is now.
     *
     * @param seen the card's time that the reader saw: a card that got an act since stays unread
     */
    boolean mark(Caller caller, Slot slot, String term, boolean read, @Nullable Instant seen) {
        boolean now = db.inTransaction(tx -> readState.mark(tx, caller.user(), slot.text(), term, read, seen))
                .orElseThrow(ActivityProblem::noSuchCard);
        onMark.accept(Set.of(caller.user()));
        return now;
    }

    /**
     * Marks all cards up to {@code upTo}, or up to now, and returns how many changed. It works in batches that skip rows
     * locked by others; those come last and one by one, so that there is no deadlock.
     */
    int markAll(Caller caller, boolean read, @Nullable Instant upTo) {
        var reader = caller.user();
        var until = upTo == null ? db.read(readState::now) : upTo;
        int marked = 0;
        int batch;
        do {
            batch = db.inTransaction(tx -> readState.markBatch(tx, reader, read, until, BATCH_SIZE));
            marked += batch;
        } while (batch == BATCH_SIZE);
        for (var left : db.read(reads -> readState.left(reads, reader, read, until, BATCH_SIZE))) {
            var now = db.inTransaction(tx -> readState.mark(tx, reader, left.slot(), left.term(), read, until));
            marked += now.filter(value -> value == read).isPresent() ? 1 : 0;
        }
        onMark.accept(Set.of(reader));
        return marked;
    }
}
