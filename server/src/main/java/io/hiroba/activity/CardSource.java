package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.live.LiveSource;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Optional;

/** The source of changed cards and unread counts in the event stream. */
final class CardSource implements LiveSource {

    private final LiveCards live;

    CardSource(LiveCards live) {
        this.live = live;
    }

    @Override
    public String name() {
        return "cards";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        var reader = Caller.of(ctx).user();
        var latest = live.latest(reader);
        // A position in the future would keep the reader from getting any card.
        var last = position.map(CardTime::parseMicros).filter(time -> !time.isAfter(latest));
        return Optional.of(new CardSubscription(live, reader, last.orElse(latest), last.isPresent()));
    }

    private record CardSubscription(LiveCards live, UserId reader, Instant after, boolean resumed)
            implements Subscription {

        @Override
        public String position() {
            return CardTime.micros(after);
        }

        @Override
        public Runnable begin(Channel channel) {
            var listener = new CardListener(reader, after, channel);
            return resumed ? live.resume(listener) : live.listen(listener);
        }
    }
}
