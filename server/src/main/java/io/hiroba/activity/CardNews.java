package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is new among the cards of many readers at once. A reader's cards become visible in the order of their times, so
 * whoever knows one has been able to see all before it.
 */
public final class CardNews {

    /** The most cards of one reader that are told at once. */
    public static final int MOST = 50;

    private final Db db;
    private final CardNewsStore store = new CardNewsStore();
    private final CardStore cards = new CardStore();

    public CardNews(Db db) {
        this.db = db;
    }

    /** The cards after each reader's time, the first {@link #MOST} of each in the order of their times. */
    public Map<UserId, List<Card>> since(Map<UserId, Instant> times) {
        return db.read(reads -> store.since(reads, times)).stream()
                .collect(Collectors.groupingBy(
                        CardNewsStore.Found::reader,
                        Collectors.mapping(CardNewsStore.Found::card, Collectors.toList())));
    }

    /** What one reader has missed after {@code time}: the last {@link #MOST} cards, in the order of their times. */
    public List<Card> missed(UserId reader, Instant time) {
        return db.read(reads -> cards.newest(reads, reader, time)).map(CardFeed::cards).orElse(List.of()).stream()
                .filter(card -> card.updatedAt().isAfter(time))
                .limit(MOST)
                .toList()
                .reversed();
    }

    /** The time of the newest card; the beginning of time where there is none. */
    public Instant latest(UserId reader) {
        return db.read(reads -> store.latest(reads, reader));
    }

    public Map<UserId, Unread> unread(Collection<UserId> readers) {
        return db.read(reads -> store.unread(reads, readers, Unread.COUNTED + 1)).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, found -> Unread.of(found.getValue())));
    }
}
