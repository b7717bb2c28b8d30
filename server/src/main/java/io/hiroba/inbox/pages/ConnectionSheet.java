package io.hiroba.inbox.pages;

import io.hiroba.inbox.gitlab.connections.Connection;
import io.hiroba.inbox.gitlab.connections.Linking;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection with its log.
 *
 * @param more the address of the next page of the log, if there is one
 */
public record ConnectionSheet(
        Item item,
        List<Call> calls,
        List<Choice> events,
        String state,
        String event,
        @Nullable String more) {

    /** A connection in a list. */
    public record Item(
            String id, String name, String path, String url, boolean isEnabled, boolean isOpen, String made) {

        static Item of(Connection connection, String url, Moments moments) {
            return new Item(
                    connection.id().hex(),
                    connection.name(),
                    InboxNav.CONNECTIONS + "/" + connection.id(),
                    url,
                    connection.enabled(),
                    connection.linking() == Linking.OPEN,
                    moments.ago(connection.createdAt()));
        }
    }

    /**
     * A webhook's call in the log.
     *
     * @param state and {@code standing}: for styles, and in words
     */
    public record Call(
            String id,
            String event,
            String state,
            String standing,
            String outcome,
            String ago,
            String exact,
            String path,
            boolean mayRetry) {}
}
