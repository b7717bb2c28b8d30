package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Builds the timelines of readers who come, bounds those that grow, and drops those of readers who stay away. No feed needs
 * any of it to be right, only to be fast: what a window does not cover is read from the posts themselves.
 */
public final class TimelineWindows {

    private static final Duration INTERVAL = Duration.ofHours(1);

    /** After so long a reader's next visit is written down, and their timeline built anew. */
    private static final Duration VISIT = Duration.ofDays(1);

    /** Requests that wait on this node at most; whoever is left out asks again with their next page. */
    private static final int MAX_REQUESTS = 10_000;

    private static final int BATCH_SIZE = 100;

    private final Db db;
    private final InstantSource clock;
    private final TimelineLimits limits;
    private final TimelineWindowStore store;
    /** Readers who came, and whether their timeline was too short for a page. */
    private final Map<Long, Boolean> requests = new ConcurrentHashMap<>();

    private final WakeSignal signal = new WakeSignal();

    public TimelineWindows(Db db, InstantSource clock) {
        this(db, clock, TimelineLimits.DEFAULT);
    }

    public TimelineWindows(Db db, InstantSource clock, TimelineLimits limits) {
        this.db = db;
        this.clock = clock;
        this.limits = limits;
        this.store = new TimelineWindowStore(limits);
    }

    /** Runs until {@code resources} are closed. */
    public void start(ResourceStack resources) {
        resources.add(WorkLoop.whenSignalled("timeline windows", 1, signal, INTERVAL, this::handleRequests));
        resources.add(WorkLoop.every(INTERVAL, "timeline sweep", this::sweep));
    }

    /** Notes that the reader is here, so that their timeline is built soon if it must be. */
    void request(UserId reader, boolean tooShort) {
        if (requests.size() < MAX_REQUESTS) {
            requests.merge(reader.value(), tooShort, Boolean::logicalOr);
            signal.raise();
        }
    }

    /** Whether a visit at {@code readAt} was so long ago that the next one is written down. */
    boolean isOld(Instant readAt) {
        return readAt.isBefore(clock.instant().minus(VISIT));
    }

    private boolean handleRequests() {
        for (long reader : List.copyOf(requests.keySet())) {
            var tooShort = requests.remove(reader);
            if (tooShort != null && isWanted(reader, tooShort)) {
                build(new UserId(reader));
            }
        }
        return !requests.isEmpty();
    }

    private boolean isWanted(long reader, boolean tooShort) {
        return db.read(reads -> store.find(reads, reader))
                .map(window -> window.isOpen() || isOld(window.readAt()) || (tooShort && !window.isWhole()))
                .orElse(true);
    }

    /** Builds the timeline of a reader who is here. */
    public void build(UserId reader) {
        db.useTransaction(tx -> store.open(tx, reader.value(), clock.instant()));
        close(reader.value());
    }

    private void close(long reader) {
        db.useTransaction(tx -> {
            var window = store.lock(tx, reader);
            if (window.isPresent() && window.get().isOpen()) {
                store.choosePulled(tx, reader);
                store.build(tx, reader);
            }
        });
    }

    /** Drops the timelines of those who stay away, and builds those anew that have grown. */
    void sweep() {
        var awaySince = clock.instant().minus(limits.away());
        long after = 0;
        while (true) {
            long from = after;
            var overdue = db.read(reads -> store.overdue(reads, from, awaySince, BATCH_SIZE));
            for (long reader : overdue) {
                if (!db.inTransaction(tx -> store.drop(tx, reader, awaySince))) {
                    db.useTransaction(tx -> store.reopen(tx, reader));
                    close(reader);
                }
            }
            if (overdue.size() < BATCH_SIZE) {
                return;
            }
            after = overdue.getLast();
        }
    }

    /**
     * The limits of timelines.
     *
     * @param size the newest entries that a timeline keeps: fifty pages
     * @param manyFollowers the posts of an author with as many followers are pulled when a feed is read
     * @param maxPulled how many such authors a reader has at most, since each makes their pages slower
     * @param away the timeline of a reader who did not come for so long is dropped
     */
    public record TimelineLimits(int size, int manyFollowers, int maxPulled, Duration away) {

        public static final TimelineLimits DEFAULT = new TimelineLimits(1_000, 500, 4, Duration.ofDays(30));

        /** The number of entries above which a timeline is built anew. */
        int maxRows() {
            return size + size / 4 + 1;
        }
    }
}
