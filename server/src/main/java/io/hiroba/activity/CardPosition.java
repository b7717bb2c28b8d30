package io.hiroba.activity;

import io.hiroba.platform.http.Cursor;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A position in a list of cards: right after the card with this time, to the microsecond, this slot and this term. */
record CardPosition(Instant updatedAt, String slot, String term) {

    /** Before the newest card. */
    static final CardPosition NEWEST = new CardPosition(
            OffsetDateTime.of(9999, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).toInstant(), "", "");

    static CardPosition of(Cursor cursor) {
        return new CardPosition(
                Instant.EPOCH.plus(cursor.number(0), ChronoUnit.MICROS), cursor.text(1), cursor.text(2));
    }

    Cursor cursor() {
        return Cursor.of(Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, updatedAt)), slot, term);
    }
}
