package io.hiroba.activity.pages;

import io.hiroba.activity.Card;
import io.hiroba.activity.CardTime;

/**
 * Whether a card is read, and the button that changes it.
 *
 * @param seen the card's time as it is shown: an act after it is not marked along
 */
public record MarkView(String slot, String term, String seen, boolean isRead) {

    static MarkView of(Card card) {
        return new MarkView(card.slot().text(), card.term(), CardTime.text(card.updatedAt()), card.read());
    }

    /** Names the card within its page. */
    public String key() {
        return slot.replace(':', '-') + "-" + term;
    }
}
