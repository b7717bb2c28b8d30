package io.hiroba.platform.live;

import io.javalin.http.Context;
import java.util.Optional;

/** One kind of news that the stream carries, such as new posts. */
public interface LiveSource {

    /** How it is called in the ids of messages: a few lower-case letters. */
    String name();

    /**
     * What the request wants of this source, or nothing. It throws a problem where the request is not acceptable, since
     * afterwards nothing but the stream can be answered.
     *
     * @param position what this source last said of its position, if the reader comes back
     */
    Optional<Subscription> subscribe(Context ctx, Optional<String> position);

    /** One reader's wish to be told. */
    interface Subscription {

        /** Where it stands before its first message, in letters and digits. */
        String position();

        /** Starts telling; what is returned is run when the stream is over. */
        Runnable begin(Channel channel);
    }

    /** Where a source leaves what it has to tell one reader; it never waits. */
    interface Channel {

        /** Sends an event with JSON; whoever was told of it stands at {@code position}. */
        void tell(String position, String event, String json);
    }
}
