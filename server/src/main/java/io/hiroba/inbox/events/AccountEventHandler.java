package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Set;

/** Deletes the person of a deleted account. Their items and settings are deleted with the account. */
final class AccountEventHandler implements HirobaEvents.Handler {

    private final HirobaResourceStore store = new HirobaResourceStore();

    @Override
    public Set<String> types() {
        return Set.of("user-deleted");
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        events.stream()
                .map(event -> UserId.parse(event.payload().path("userId").asString("")))
                .forEach(user -> store.deletePerson(tx, user));
    }
}
