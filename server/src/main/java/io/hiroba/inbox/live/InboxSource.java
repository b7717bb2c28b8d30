package io.hiroba.inbox.live;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.live.LiveSource;
import io.javalin.http.Context;
import java.util.Optional;

/**
 * How the reader's inbox stands, for everybody who opens a stream. The whole of it is told at the beginning, so that
 * whoever comes back has missed nothing, wherever they stood.
 */
public final class InboxSource implements LiveSource {

    private final LiveItems live;

    public InboxSource(LiveItems live) {
        this.live = live;
    }

    @Override
    public String name() {
        return "inbox";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        return Optional.of(new Wish(live, Caller.of(ctx).user()));
    }

    private record Wish(LiveItems live, UserId reader) implements Subscription {

        @Override
        public String position() {
            return "0";
        }

        @Override
        public Runnable begin(Channel channel) {
            return live.listen(new PageListener(reader, channel));
        }
    }
}
