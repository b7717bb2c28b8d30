package io.hiroba.inbox.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.inbox.gitlab.AccountLinking;
import io.hiroba.inbox.gitlab.Connection;
import io.hiroba.inbox.gitlab.DeliveryState;
import io.hiroba.inbox.gitlab.WebhookDelivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page of a connection with its log.
 *
 * @param more the address of the next page of the log, if there is one
 */
public record ConnectionDetails(
        Item item,
        List<LogEntry> entries,
        List<InboxOption> events,
        String state,
        String event,
        @Nullable String more) {

    /** A connection in a list. */
    public record Item(String id, String name, String path, String url, boolean isEnabled, boolean isOpen) {

        static Item of(Connection connection, String url) {
            return new Item(
                    connection.id().hex(),
                    connection.name(),
                    InboxNav.CONNECTIONS + "/" + connection.id(),
                    url,
                    connection.enabled(),
                    connection.linking() == AccountLinking.OPEN);
        }
    }

    /**
     * A delivery in the log.
     *
     * @param state for styles; {@code status} is its label
     */
    public record LogEntry(
            String id,
            String event,
            String state,
            String status,
            String outcome,
            String ago,
            String exact,
            String path,
            boolean mayRetry) {

        static LogEntry of(WebhookDelivery delivery, Reader clock) {
            var outcome = delivery.outcome();
            return new LogEntry(
                    delivery.id().hex(),
                    delivery.event().replace('_', ' '),
                    delivery.state().text(),
                    status(delivery),
                    outcome == null ? "" : outcome,
                    clock.ago(delivery.receivedAt()),
                    clock.exact(delivery.receivedAt()),
                    InboxNav.CONNECTIONS + "/" + delivery.connection() + "/deliveries/" + delivery.id(),
                    delivery.state() != DeliveryState.WAITING);
        }

        private static String status(WebhookDelivery delivery) {
            var tries = delivery.attempts() == 1 ? " after 1 try" : " after " + delivery.attempts() + " tries";
            return switch (delivery.state()) {
                case WAITING -> delivery.attempts() == 0 ? "Waiting" : "Tried again" + tries;
                case HANDLED -> "Handled";
                case IGNORED -> "Ignored";
                case FAILED -> "Failed" + tries;
            };
        }
    }
}
