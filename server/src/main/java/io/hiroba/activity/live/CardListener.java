package io.hiroba.activity.live;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.Card;
import io.hiroba.activity.CardView;
import io.hiroba.activity.Unread;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.LiveSource.Channel;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader's page, which is told of each card that changes, and of how many are unread. */
final class CardListener {

    private final UserId reader;
    private final Channel channel;
    private Instant position;
    private @Nullable Unread told;

    CardListener(UserId reader, Instant position, Channel channel) {
        this.reader = reader;
        this.position = position;
        this.channel = channel;
    }

    UserId reader() {
        return reader;
    }

    /** The time of the last card that it was told of. */
    synchronized Instant position() {
        return position;
    }

    /** Tells of those of the cards that are new to it; they come in the order of their times. */
    synchronized void offer(List<Card> cards) {
        var before = position;
        for (var card : cards) {
            if (card.updatedAt().isAfter(before)) {
                position = card.updatedAt();
                channel.tell(CardPositionText.write(position), "card", Json.text(CardView.of(card)));
            }
        }
    }

    synchronized void count(Unread unread) {
        if (!unread.equals(told)) {
            told = unread;
            channel.tell(CardPositionText.write(position), "count", Json.text(UnreadView.of(unread)));
        }
    }

    /** As the API answers when asked for the count. */
    private record UnreadView(int unread, boolean more) {

        static UnreadView of(Unread unread) {
            return new UnreadView(unread.count(), unread.more());
        }
    }
}
