package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.LiveSource.Channel;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open page of a reader, which gets each changed card once and the number of unread ones. */
final class CardListener {

    private final UserId reader;
    private final Channel channel;
    private Instant position;
    private @Nullable UnreadCount sentCount;

    CardListener(UserId reader, Instant position, Channel channel) {
        this.reader = reader;
        this.position = position;
        this.channel = channel;
    }

    UserId reader() {
        return reader;
    }

    /** The time of the last card that was sent. */
    synchronized Instant position() {
        return position;
    }

    /** Sends those of the cards that it does not have; they come in the order of their times. */
    synchronized void offer(List<Card> cards) {
        var before = position;
        for (var card : cards) {
            if (card.updatedAt().isAfter(before)) {
                position = card.updatedAt();
                channel.send(CardTime.micros(position), "card", Json.text(CardView.of(card)));
            }
        }
    }

    synchronized void count(UnreadCount unread) {
        if (!unread.equals(sentCount)) {
            sentCount = unread;
            channel.send(CardTime.micros(position), "count", Json.text(unread));
        }
    }
}
