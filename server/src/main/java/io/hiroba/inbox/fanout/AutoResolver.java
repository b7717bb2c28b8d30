package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Resolves items when something has answered them, and wakes those that are snoozed until an event. */
public final class AutoResolver {

    private final InstantSource clock;
    private final ItemListener listener;
    private final AutoResolveStore store = new AutoResolveStore();
    private final ResourceStore locks = new ResourceStore();
    private final PendingItemStore pending = new PendingItemStore();

    public AutoResolver(InstantSource clock, ItemListener listener) {
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Records that somebody has acted on a resource, and resolves their items about it up to then. Other users' items are
     * not affected.
     */
    public void recordActivity(Tx tx, Resource resource, ExternalPerson person, Instant at) {
        if (!locks.lock(tx, resource)) {
            return;
        }
        store.insertActivity(tx, resource.root(), person.id(), at);
        person.account().ifPresent(user -> publish(tx, store.resolveAll(tx, resource, user, at, clock.instant())));
    }

    /**
     * As above.
     *
     * @param requested the people whom the same event notifies: it does not resolve that notification
     */
    public void recordActivity(
            Tx tx, Resource resource, ExternalPerson person, Instant at, Collection<ExternalPerson> requested) {
        recordActivity(tx, resource, person, person.isAmong(requested) ? at.minus(1, ChronoUnit.MICROS) : at);
    }

    /** Resolves everybody's items of these actions about the resource that were requested up to then. */
    public void autoResolve(Tx tx, Resource resource, Set<Action> actions, Instant until) {
        if (!locks.lock(tx, resource)) {
            return;
        }
        var closed = store.close(tx, resource.id(), actions, until);
        if (!closed.isEmpty()) {
            publish(tx, store.resolve(tx, resource, closed, until, clock.instant()));
        }
    }

    /** As {@link #autoResolve}, for these people alone. */
    public void autoResolveFor(Tx tx, Resource resource, Action action, List<ExternalPerson> people, Instant until) {
        withdraw(tx, resource, action, ExternalPerson.minus(people, store.keepingResolved(tx, people)), until);
    }

    /** Withdraws the items of the action that these people got up to then. */
    public void withdraw(Tx tx, Resource resource, Action action, Collection<ExternalPerson> people, Instant at) {
        if (people.isEmpty()) {
            return;
        }
        locks.lock(tx, resource);
        pending.withdraw(
                tx,
                resource.id(),
                action,
                people.stream().map(ExternalPerson::id).toList(),
                at);
        var users = people.stream().flatMap(person -> person.account().stream()).toList();
        if (!users.isEmpty()) {
            publish(tx, store.resolve(tx, resource, action, users, at, clock.instant()));
        }
    }

    /** Resolves the requests of somebody to others up to then, for example for access. */
    public void resolveRequestsOf(Tx tx, Resource resource, Action action, ExternalPerson author, Instant until) {
        locks.lock(tx, resource);
        pending.deleteByAuthor(tx, resource.id(), action, author.id(), until);
        publish(tx, store.resolveByAuthor(tx, resource, action, author.id(), until, clock.instant()));
    }

    /** Wakes the items that are snoozed until this event of the resource. */
    public void wakeSnoozed(Tx tx, Resource resource, SnoozeEvent event) {
        publish(tx, store.wake(tx, resource, event, clock.instant()));
    }

    private void publish(Tx tx, List<UserId> users) {
        if (!users.isEmpty()) {
            listener.changed(tx, users);
        }
    }
}
