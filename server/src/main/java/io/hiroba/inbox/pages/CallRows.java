package io.hiroba.inbox.pages;

import io.hiroba.inbox.gitlab.deliveries.Delivery;
import io.hiroba.inbox.gitlab.deliveries.DeliveryState;

/** Turns the log of a connection into what templates show. */
final class CallRows {

    private CallRows() {}

    static ConnectionSheet.Call of(Delivery delivery, Moments moments) {
        var outcome = delivery.outcome();
        return new ConnectionSheet.Call(
                delivery.id().hex(),
                delivery.event().replace('_', ' '),
                delivery.state().text(),
                standing(delivery),
                outcome == null ? "" : outcome,
                moments.ago(delivery.receivedAt()),
                moments.exact(delivery.receivedAt()),
                InboxNav.CONNECTIONS + "/" + delivery.connection() + "/deliveries/" + delivery.id(),
                delivery.state() != DeliveryState.WAITING);
    }

    private static String standing(Delivery delivery) {
        var tries = delivery.attempts() == 1 ? " after 1 try" : " after " + delivery.attempts() + " tries";
        return switch (delivery.state()) {
            case WAITING -> delivery.attempts() == 0 ? "Waiting" : "Tried again" + tries;
            case HANDLED -> "Handled";
            case IGNORED -> "Ignored";
            case FAILED -> "Failed" + tries;
        };
    }
}
