package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import java.util.Optional;

/** The inbox as agents are told of it: an item that its owner lets wake them. */
@FunctionalInterface
public interface InboxItems {

    /** The item, if its owner still has it. */
    Optional<Summary> find(UserId owner, long item);

    /**
     * An item in a few words.
     *
     * @param link its address, or an empty text
     */
    record Summary(String action, String title, String state, String author, String link) {

        String text() {
            return "%s: %s (%s) %s".formatted(action, title, state, author).strip();
        }
    }
}
