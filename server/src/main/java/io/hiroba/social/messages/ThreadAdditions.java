package io.hiroba.social.messages;

import gg.jte.Content;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** The parts that another feature shows on the page of a private thread, to whoever is in it. */
public interface ThreadAdditions {

    /** Below messages, by their ids. */
    Map<MessageId, Content> belowMessages(Context ctx, List<DirectMessage> messages);

    /** Below all of those that are shown. */
    Content belowThread(Context ctx, List<DirectMessage> messages);
}
