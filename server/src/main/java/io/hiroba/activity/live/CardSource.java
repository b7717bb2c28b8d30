package io.hiroba.activity.live;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.live.LiveSource;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Optional;

/** Cards and their count for the stream, for everybody who opens one. */
public final class CardSource implements LiveSource {

    private final LiveCards live;

    public CardSource(LiveCards live) {
        this.live = live;
    }

    @Override
    public String name() {
        return "cards";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        var reader = Caller.of(ctx).user();
        var present = live.present(reader);
        // One that no card can have come to would keep the reader from being told of any.
        var last = position.map(CardPositionText::read).filter(time -> !time.isAfter(present));
        return Optional.of(new Wish(live, reader, last.orElse(present), last.isPresent()));
    }

    private record Wish(LiveCards live, UserId reader, Instant after, boolean back) implements Subscription {

        @Override
        public String position() {
            return CardPositionText.write(after);
        }

        @Override
        public Runnable begin(Channel channel) {
            var listener = new CardListener(reader, after, channel);
            return back ? live.listenAgain(listener) : live.listen(listener);
        }
    }
}
