package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.live.LiveSource.Channel;
import io.javalin.http.Context;
import java.util.Optional;

/**
 * The stream of a reader's counts. All counts are sent at the beginning, so that whoever reconnects has missed
 * nothing, wherever they stood.
 */
final class InboxLiveSource implements LiveSource {

    private final LiveInboxes live;

    InboxLiveSource(LiveInboxes live) {
        this.live = live;
    }

    @Override
    public String name() {
        return "inbox";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        return Optional.of(new ReaderSubscription(live, Caller.of(ctx).user()));
    }

    private record ReaderSubscription(LiveInboxes live, UserId reader) implements Subscription {

        @Override
        public String position() {
            return "0";
        }

        @Override
        public Runnable begin(Channel channel) {
            return live.listen(new LiveInboxes.Listener(reader, channel));
        }
    }
}
