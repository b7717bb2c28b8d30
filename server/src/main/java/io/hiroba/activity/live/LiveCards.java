package io.hiroba.activity.live;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.CardNews;
import io.hiroba.platform.task.Background;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who listen on this node of their cards: at once of what this node has changed, and within a second of what
 * others have, by one statement for all readers together and none while nobody listens.
 */
public final class LiveCards implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LiveCards.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int COUNTED_EVERY = 10;

    private final CardNews news;
    private final Map<UserId, Set<CardListener>> listeners = new ConcurrentHashMap<>();

    /** Whose cards this node has changed, or who has just come, and who has not been told yet. */
    private final Set<UserId> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean woken = new AtomicBoolean();
    private final ExecutorService waker = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("live cards, awake").factory());
    private final Background watch;
    private int looks;

    public LiveCards(CardNews news) {
        this(news, PERIOD);
    }

    LiveCards(CardNews news, Duration period) {
        this.news = news;
        this.watch = Background.every(period, "live cards", this::look);
    }

    /** The cards of these readers have changed or were marked: whoever of them listens here is told. Never waits. */
    public void changed(Collection<UserId> readers) {
        boolean anybody = false;
        for (var reader : readers) {
            anybody |= listeners.containsKey(reader) && changed.add(reader);
        }
        if (anybody && woken.compareAndSet(false, true)) {
            try {
                waker.execute(this::tellChanged);
            } catch (RejectedExecutionException e) {
                log.debug("Nobody is told any more: the node stops", e);
            }
        }
    }

    /** Where a reader stands who knows all cards that there are. */
    Instant present(UserId reader) {
        return news.latest(reader);
    }

    /** Tells {@code listener} how many cards are unread, and of what comes, until what is returned is run. */
    Runnable listen(CardListener listener) {
        add(listener);
        // Counted with all others who come in this moment: after a restart everybody comes back at once.
        changed(Set.of(listener.reader()));
        return () -> remove(listener);
    }

    /** As {@link #listen}, after what it has missed. */
    Runnable listenAgain(CardListener listener) {
        listener.offer(news.missed(listener.reader(), listener.position()));
        return listen(listener);
    }

    void look() {
        if (++looks % COUNTED_EVERY == 0) {
            // What was taken back or marked on another node leaves nothing newer to be seen.
            changed.addAll(listeners.keySet());
        }
        tell(Set.copyOf(listeners.keySet()));
    }

    private void tellChanged() {
        // Before looking: a change that comes meanwhile wakes again.
        woken.set(false);
        try {
            tell(Set.copyOf(changed));
        } catch (RuntimeException e) {
            log.warn("Readers are told of their cards a second later", e);
        }
    }

    /** One at a time, since a count that was made earlier must not be told later. */
    private synchronized void tell(Set<UserId> readers) {
        if (readers.isEmpty()) {
            return;
        }
        var noted = new HashSet<>(changed);
        noted.retainAll(readers);
        changed.removeAll(noted);
        try {
            var cards = news.since(positions(readers));
            cards.forEach((reader, some) -> of(reader).forEach(listener -> listener.offer(some)));
            var counted = new HashSet<>(noted);
            counted.addAll(cards.keySet());
            if (!counted.isEmpty()) {
                news.unread(counted)
                        .forEach((reader, unread) -> of(reader).forEach(listener -> listener.count(unread)));
            }
        } catch (RuntimeException e) {
            changed.addAll(noted);
            throw e;
        }
    }

    /** From where on each reader has something to be told: from where the least of their pages stands. */
    private Map<UserId, Instant> positions(Set<UserId> readers) {
        var positions = new HashMap<UserId, Instant>();
        for (var reader : readers) {
            of(reader).stream()
                    .map(CardListener::position)
                    .min(Instant::compareTo)
                    .ifPresent(least -> positions.put(reader, least));
        }
        return positions;
    }

    private Set<CardListener> of(UserId reader) {
        return listeners.getOrDefault(reader, Set.of());
    }

    private void add(CardListener listener) {
        listeners.compute(listener.reader(), (reader, own) -> {
            var more = own == null ? ConcurrentHashMap.<CardListener>newKeySet() : own;
            more.add(listener);
            return more;
        });
    }

    private void remove(CardListener listener) {
        listeners.computeIfPresent(listener.reader(), (reader, own) -> {
            own.remove(listener);
            return own.isEmpty() ? null : own;
        });
    }

    @Override
    public void close() {
        watch.close();
        waker.close();
    }
}
