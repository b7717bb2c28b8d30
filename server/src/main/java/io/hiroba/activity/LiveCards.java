package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.live.Listeners;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends changed cards to the open pages of this node: changes of this node at once, those of other nodes within a second, by
 * one statement for all readers together and none while no page is open. A reader's cards become visible in the
 * order of their times, so a reader who has one card could see all before it.
 */
final class LiveCards implements AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final String TOPIC = "cards";
    private static final int POLLS_PER_COUNT = 10;

    private final Db db;
    private final CommitSignal commits;
    private final CardListStore store = new CardListStore();
    private final Listeners<UserId, CardListener> listeners = new Listeners<>("cards", this::send);
    private @Nullable WorkLoop polling;
    private int polls;

    LiveCards(Db db, CommitSignal commits) {
        this.db = db;
        this.commits = commits;
        commits.listen(TOPIC, keys -> listeners.signalled(keys, UserId::parse));
    }

    /** Starts polling for changes of other nodes. */
    LiveCards start() {
        polling = WorkLoop.every(POLL_INTERVAL, "live cards", this::poll);
        return this;
    }

    /** Schedules updates for readers whose cards were changed or marked as read. Never blocks. */
    void changed(Collection<UserId> readers) {
        commits.raise(TOPIC, readers.stream().map(UserId::hex).toList());
    }

    /** The time of the newest card; the epoch where there is none. */
    Instant latest(UserId reader) {
        return db.read(reads -> store.latest(reads, reader));
    }

    /** Sends {@code listener} the number of unread cards, and changed cards until the returned action is run. */
    Runnable listen(CardListener listener) {
        return listeners.add(listener.reader(), listener);
    }

    /** As {@link #listen}, after the missed cards. */
    Runnable resume(CardListener listener) {
        listener.offer(missed(listener.reader(), listener.position()));
        return listen(listener);
    }

    /** The last {@link CardListStore#UPDATES_LIMIT} cards after {@code time}, in the order of their times. */
    private List<Card> missed(UserId reader, Instant time) {
        return db.read(reads -> store.newest(reads, reader, time)).map(CardFeed::cards).orElse(List.of()).stream()
                .filter(card -> card.updatedAt().isAfter(time))
                .limit(CardListStore.UPDATES_LIMIT)
                .toList()
                .reversed();
    }

    void poll() {
        if (++polls % POLLS_PER_COUNT == 0) {
            // A withdrawn act or a card marked on another node changes the count without a newer card.
            listeners.allChanged();
        }
        listeners.publishAll();
    }

    private void send(Set<UserId> readers, Set<UserId> changed) {
        var updates = db.read(reads -> store.updatedSince(reads, positions(readers)));
        updates.forEach((reader, cards) -> listeners.of(reader).forEach(listener -> listener.offer(cards)));
        var recount = new HashSet<>(changed);
        recount.addAll(updates.keySet());
        if (!recount.isEmpty()) {
            db.read(reads -> store.unread(reads, recount, UnreadCount.MAX + 1))
                    .forEach((reader, found) ->
                            listeners.of(reader).forEach(listener -> listener.count(UnreadCount.of(found))));
        }
    }

    /** The position of each reader's page that is the furthest behind. */
    private Map<UserId, Instant> positions(Set<UserId> readers) {
        var positions = new HashMap<UserId, Instant>();
        for (var reader : readers) {
            listeners.of(reader).stream()
                    .map(CardListener::position)
                    .min(Instant::compareTo)
                    .ifPresent(earliest -> positions.put(reader, earliest));
        }
        return positions;
    }

    @Override
    public void close() {
        if (polling != null) {
            polling.close();
        }
        listeners.close();
    }
}
