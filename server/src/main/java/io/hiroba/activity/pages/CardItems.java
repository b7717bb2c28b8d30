package io.hiroba.activity.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.activity.Act;
import io.hiroba.activity.Card;
import io.hiroba.activity.Kind;
import io.hiroba.activity.Wording;
import io.hiroba.social.PostId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns cards into what templates show their reader. */
final class CardItems {

    private final UserId reader;
    private final Days days;
    private final ReaderClock when;

    CardItems(UserId reader, Days days) {
        this.reader = reader;
        this.days = days;
        this.when = new ReaderClock(days.now(), days.zone());
    }

    List<CardItem> of(List<Card> cards) {
        return cards.stream().map(this::of).toList();
    }

    private CardItem of(Card card) {
        var newest = card.acts().stream().map(Act::at).findFirst();
        return new CardItem(
                card.slot().kind(),
                Wording.of(card),
                days.of(card.term()),
                newest.filter(time -> days.isToday(card.term())).map(when::ago).orElse(null),
                newest.map(when::exact).orElse(null),
                MarkView.of(card),
                target(card),
                MuteChoice.of(card));
    }

    private String target(Card card) {
        if (card.slot().kind() == Kind.FOLLOW) {
            return "/users/" + reader + "/followers";
        }
        var post = card.post();
        if (post == null) {
            return ActivityNav.NOTIFICATIONS;
        }
        var reply = onlyReply(card);
        return "/posts/" + (reply == null ? post.id() : reply);
    }

    /** The reply, where there is one alone: it is what somebody wants to see then. */
    private static @Nullable PostId onlyReply(Card card) {
        var count = card.countPosts();
        return card.slot().kind() == Kind.REPLY
                        && count != null
                        && count == 1
                        && !card.acts().isEmpty()
                ? card.acts().getFirst().post()
                : null;
    }
}
