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

/** A reader's cards: listed, counted and marked as read. Times are the database's, which dates the cards. */
public final class Notifications {

    private static final int BATCH = 500;

    private final Db db;
    private final Consumer<Set<UserId>> onMark;
    private final CardStore store = new CardStore();
    private final MarkStore marks = new MarkStore();

    public Notifications(Db db) {
        this(db, readers -> {});
    }

    /** @param onMark is told whose cards were marked, and must not wait */
    public Notifications(Db db, Consumer<Set<UserId>> onMark) {
        this.db = db;
        this.onMark = onMark;
    }

    /** The newest 50 unread and the newest 50 read cards. */
    public CardFeed newest(UserId reader) {
        return db.read(reads -> store.newest(reads, reader, null)).orElseThrow();
    }

    /**
     * As above, or nothing where no card has an act after {@code newerThan}. A time after the present is none that a card
     * had, unless the clock was set back since: then all is told again.
     */
    public Optional<CardFeed> newest(UserId reader, Instant newerThan) {
        return db.read(reads -> store.newest(reads, reader, newerThan));
    }

    /** The read or the unread cards, the latest act first. */
    public List<Card> page(UserId reader, boolean read, CardPosition after, int limit) {
        return db.read(reads -> page(reads, reader, read, after, limit));
    }

    /** As above, in the caller's transaction. */
    public List<Card> page(Reads reads, UserId reader, boolean read, CardPosition after, int limit) {
        return store.page(reads, reader, read, after, limit);
    }

    /** How many are unread, counted up to {@code most}. */
    public int unread(UserId reader, int most) {
        return db.read(reads -> store.unread(reads, reader, most));
    }

    public Unread unread(UserId reader) {
        return Unread.of(db.read(reads -> store.unread(reads, reader, Unread.COUNTED + 1)));
    }

    /**
     * Marks a card as read or unread, and answers what it is now.
     *
     * @param seen the card's time that the reader saw: a card that got an act since stays unread
     */
    public boolean mark(Caller caller, Slot slot, String term, boolean read, @Nullable Instant seen) {
        boolean now = db.inTransaction(tx -> marks.mark(tx, caller.user(), slot.text(), term, read, seen))
                .orElseThrow(ActivityProblem::noSuchCard);
        onMark.accept(Set.of(caller.user()));
        return now;
    }

    /**
     * Marks all cards up to {@code upTo}, or up to now, and answers how many were not yet so. It goes in steps, and past
     * what others are writing; those come last and one by one, so that nobody waits in a circle.
     */
    public int markAll(Caller caller, boolean read, @Nullable Instant upTo) {
        var reader = caller.user();
        var until = upTo == null ? db.read(marks::present) : upTo;
        int marked = 0;
        int step;
        do {
            step = db.inTransaction(tx -> marks.markSome(tx, reader, read, until, BATCH));
            marked += step;
        } while (step == BATCH);
        for (var left : db.read(reads -> marks.left(reads, reader, read, until, BATCH))) {
            var now = db.inTransaction(tx -> marks.mark(tx, reader, left.slot(), left.term(), read, until));
            marked += now.filter(value -> value == read).isPresent() ? 1 : 0;
        }
        onMark.accept(Set.of(reader));
        return marked;
    }
}
