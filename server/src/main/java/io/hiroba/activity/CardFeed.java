package io.hiroba.activity;

import java.time.Instant;
import java.util.List;

/** A reader's newest cards, unread and read ones together, the latest act first. */
public record CardFeed(List<Card> cards) {

    /** The time to ask for news with; the beginning of time where there are no cards. */
    public Instant newest() {
        return cards.isEmpty() ? Instant.EPOCH : cards.getFirst().updatedAt();
    }
}
