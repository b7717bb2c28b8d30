package io.hiroba.activity.pages;

import io.hiroba.activity.CardTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of notifications.
 *
 * @param lists those that have cards
 * @param newest the time of the newest card that is shown; what is later is news
 * @param isBeginning whether it shows the newest, rather than a later page of one list
 */
public record CardsView(List<CardList> lists, Instant newest, boolean isBeginning) {

    public CardsView {
        lists = lists.stream().filter(list -> !list.items().isEmpty()).toList();
    }

    /** How far the page knows what there is, as the stream says it; none for a later page. */
    public @Nullable String known() {
        return isBeginning ? "cards=" + ChronoUnit.MICROS.between(Instant.EPOCH, newest) : null;
    }

    /** The time of the newest card as scripts and forms carry it. */
    public String newestText() {
        return CardTime.text(newest);
    }

    public boolean hasUnread() {
        return lists.stream().anyMatch(list -> !list.isRead());
    }
}
