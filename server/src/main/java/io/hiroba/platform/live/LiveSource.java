package io.hiroba.platform.live;

import io.javalin.http.Context;
import java.util.Optional;

/** A source of live events, such as new posts. */
public interface LiveSource {

    /** Its name in the ids of messages: a few lower-case letters. */
    String name();

    /**
     * The subscription of the request, if it asks for one. An invalid request is a problem here, since once the stream has begun
     * no error can be answered.
     *
     * @param position the last position that this source sent, if the reader reconnects
     */
    Optional<Subscription> subscribe(Context ctx, Optional<String> position);

    /** A reader's subscription to a source. */
    interface Subscription {

        /** Its position before the first message, in letters and digits. */
        String position();

        /** Starts sending; the returned action is run when the stream ends. */
        Runnable begin(Channel channel);
    }

    /** A channel to one reader, which never blocks. */
    interface Channel {

        /** Sends an event with JSON; the reader is at {@code position} afterwards. */
        void send(String position, String event, String json);
    }
}
