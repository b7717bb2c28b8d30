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
     * Somebody has done something about a resource: what it asked of them until then is done. Nobody else's items are
     * touched.
     */
    public void acted(Tx tx, Resource resource, ExternalPerson person, Instant at) {
        if (!locks.lock(tx, resource)) {
            return;
        }
        store.act(tx, resource.root(), person.id(), at);
        person.account().ifPresent(user -> publish(tx, store.resolveAll(tx, resource, user, at, clock.instant())));
    }

    /**
     * As above.
     *
     * @param asked whom the same event asks something of: that is not answered by it
     */
    public void acted(Tx tx, Resource resource, ExternalPerson person, Instant at, Collection<ExternalPerson> asked) {
        acted(tx, resource, person, person.isAmong(asked) ? at.minus(1, ChronoUnit.MICROS) : at);
    }

    /** Resolves the items of these actions about the resource for everybody, as far as they were requested until then. */
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

    /** Withdraws what the action asked of these people until then. */
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

    /** Resolves what somebody requested of others until then, for example access. */
    public void resolveRequestsOf(Tx tx, Resource resource, Action action, ExternalPerson author, Instant until) {
        locks.lock(tx, resource);
        pending.settle(tx, resource.id(), action, author.id(), until);
        publish(tx, store.settle(tx, resource, action, author.id(), until, clock.instant()));
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
