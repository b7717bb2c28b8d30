package io.hiroba.inbox.live;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.LiveSource.Channel;

/** A reader's page, which is told how their inbox stands. */
final class PageListener {

    private final UserId reader;
    private final Channel channel;
    private long told = -1;

    PageListener(UserId reader, Channel channel) {
        this.reader = reader;
        this.channel = channel;
    }

    UserId reader() {
        return reader;
    }

    /** Tells what it does not know yet. */
    synchronized void offer(Standing standing) {
        if (standing.version() > told) {
            tell(standing);
        }
    }

    /** Tells it in any case: something has changed that shows in no count. */
    synchronized void tell(Standing standing) {
        told = standing.version();
        channel.tell(Long.toString(told), "inbox", Json.text(standing.counts()));
    }
}
