package io.hiroba.inbox.pages;

import io.hiroba.inbox.gitlab.AccountLinking;
import io.hiroba.inbox.gitlab.Connection;
import io.hiroba.inbox.gitlab.DeliveryState;
import io.hiroba.inbox.gitlab.WebhookDelivery;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page of a connection with its log.
 *
 * @param isLocal whether the server knows no address but localhost, which GitLab cannot reach
 * @param more the address of the next page of the log, if there is one
 */
public record ConnectionDetails(
        Item item,
        boolean isLocal,
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

        static LogEntry of(WebhookDelivery delivery, Reader reader) {
            var outcome = delivery.outcome();
            return new LogEntry(
                    delivery.id().hex(),
                    delivery.event().replace('_', ' '),
                    delivery.state().text(),
                    reader.text(status(delivery)),
                    outcome == null ? "" : reader.text(outcome),
                    reader.ago(delivery.receivedAt()),
                    reader.exact(delivery.receivedAt()),
                    InboxNav.CONNECTIONS + "/" + delivery.connection() + "/deliveries/" + delivery.id(),
                    delivery.state() != DeliveryState.WAITING);
        }

        private static Text status(WebhookDelivery delivery) {
            int tries = delivery.attempts();
            return switch (delivery.state()) {
                case WAITING ->
                    tries == 0 ? Text.of("inbox.delivery.waiting") : Text.of("inbox.delivery-retried", "count", tries);
                case HANDLED -> Text.of("inbox.delivery.handled");
                case IGNORED -> Text.of("inbox.delivery.ignored");
                case FAILED -> Text.of("inbox.delivery-failed", "count", tries);
            };
        }
    }
}
