package io.hiroba.activity.live;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.CardNews;
import io.hiroba.platform.live.Listeners;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells those who listen on this node of their cards: at once of what this node has changed, and within a second of what
 * others have, by one statement for all readers together and none while nobody listens.
 */
public final class LiveCards implements AutoCloseable {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int COUNTED_EVERY = 10;

    private final CardNews news;
    private final Listeners<UserId, CardListener> audience = new Listeners<>("cards", this::tell);
    private final WorkLoop watch;
    private int looks;

    public LiveCards(CardNews news) {
        this(news, PERIOD);
    }

    LiveCards(CardNews news, Duration period) {
        this.news = news;
        this.watch = WorkLoop.every(period, "live cards", this::look);
    }

    /** The cards of these readers have changed or were marked: whoever of them listens here is told. Never waits. */
    public void changed(Collection<UserId> readers) {
        audience.changed(readers);
    }

    /** Where a reader stands who knows all cards that there are. */
    Instant present(UserId reader) {
        return news.latest(reader);
    }

    /** Tells {@code listener} how many cards are unread, and of what comes, until what is returned is run. */
    Runnable listen(CardListener listener) {
        return audience.add(listener.reader(), listener);
    }

    /** As {@link #listen}, after what it has missed. */
    Runnable listenAgain(CardListener listener) {
        listener.offer(news.missed(listener.reader(), listener.position()));
        return listen(listener);
    }

    void look() {
        if (++looks % COUNTED_EVERY == 0) {
            // What was taken back or marked on another node leaves nothing newer to be seen.
            audience.allChanged();
        }
        audience.tellAll();
    }

    private void tell(Set<UserId> readers, Set<UserId> changed) {
        var cards = news.since(positions(readers));
        cards.forEach((reader, some) -> audience.of(reader).forEach(listener -> listener.offer(some)));
        var counted = new HashSet<>(changed);
        counted.addAll(cards.keySet());
        if (!counted.isEmpty()) {
            news.unread(counted)
                    .forEach((reader, unread) -> audience.of(reader).forEach(listener -> listener.count(unread)));
        }
    }

    /** From where on each reader has something to be told: from where the least of their pages stands. */
    private Map<UserId, Instant> positions(Set<UserId> readers) {
        var positions = new HashMap<UserId, Instant>();
        for (var reader : readers) {
            audience.of(reader).stream()
                    .map(CardListener::position)
                    .min(Instant::compareTo)
                    .ifPresent(least -> positions.put(reader, least));
        }
        return positions;
    }

    @Override
    public void close() {
        watch.close();
        audience.close();
    }
}
