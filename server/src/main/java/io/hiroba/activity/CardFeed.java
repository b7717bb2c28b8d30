package io.hiroba.activity;

import java.time.Instant;
import java.util.List;

/** The newest unread and read cards of a reader, the latest act first. */
record CardFeed(List<Card> cards) {

    /** The time of the newest card; the epoch where there are none. */
    Instant newest() {
        return cards.isEmpty() ? Instant.EPOCH : cards.getFirst().updatedAt();
    }
}
