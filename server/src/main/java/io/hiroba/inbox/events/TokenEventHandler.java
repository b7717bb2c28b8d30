package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Set;

/**
 * Notifies owners of API tokens that expire soon or have expired. The items lead to the page of their tokens; one that is not done
 * stands for all tokens.
 */
final class TokenEventHandler implements HirobaEvents.Handler {

    private static final String EXPIRING = "token-expiring";
    private static final String EXPIRED = "token-expired";

    private final HirobaResources resources;

    TokenEventHandler(HirobaResources resources) {
        this.resources = resources;
    }

    @Override
    public Set<String> types() {
        return Set.of(EXPIRING, EXPIRED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        var tokens = resources.mirrorNamespace(tx, "hiroba/tokens", "/settings/tokens");
        for (var event : events) {
            var owner = UserId.parse(event.payload().path("userId").asString(""));
            var action = event.type().equals(EXPIRING) ? Action.ACCESS_TOKEN_EXPIRING : Action.ACCESS_TOKEN_EXPIRED;
            resources.notify(
                    tx, tokens, action, NotificationAuthor.NOBODY, List.of(owner), HirobaResources.happenedAt(event));
        }
    }
}
