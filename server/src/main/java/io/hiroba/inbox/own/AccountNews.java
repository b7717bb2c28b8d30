package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Set;

/** Forgets whoever is gone. Their items and settings went with the account. */
final class AccountNews implements EventSubject {

    private final OwnStore store = new OwnStore();

    @Override
    public Set<String> types() {
        return Set.of("user-deleted");
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        events.stream()
                .map(event -> UserId.parse(event.payload().path("userId").asString("")))
                .forEach(user -> store.forget(tx, user));
    }
}
