package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Takes items off people's hands when something has answered them, and wakes those that wait for something. */
public final class Resolver {

    private final InstantSource clock;
    private final ItemListener listener;
    private final ResolverStore store = new ResolverStore();
    private final LockStore locks = new LockStore();
    private final WaitingStore waiting = new WaitingStore();

    public Resolver(InstantSource clock, ItemListener listener) {
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Somebody has done something about a resource: what it asked of them until then is done. Nobody else's items are
     * touched.
     */
    public void acted(Tx tx, Resource resource, Person person, Instant at) {
        if (!locks.lock(tx, resource)) {
            return;
        }
        store.act(tx, resource.root(), person.id(), at);
        person.account().ifPresent(user -> tell(tx, store.resolveAll(tx, resource, user, at, clock.instant())));
    }

    /** What these actions ask of everybody about the resource wants nothing any more, as far as it was asked until then. */
    public void moot(Tx tx, Resource resource, Set<Action> actions, Instant until) {
        if (!locks.lock(tx, resource)) {
            return;
        }
        var closed = store.close(tx, resource.id(), actions, until);
        if (!closed.isEmpty()) {
            tell(tx, store.resolve(tx, resource, closed, until, clock.instant()));
        }
    }

    /** What the action asked of these people until then, it does not ask of them any more. */
    public void withdraw(Tx tx, Resource resource, Action action, Collection<Person> people, Instant at) {
        if (people.isEmpty()) {
            return;
        }
        locks.lock(tx, resource);
        waiting.withdraw(
                tx, resource.id(), action, people.stream().map(Person::id).toList(), at);
        var users = people.stream().flatMap(person -> person.account().stream()).toList();
        if (!users.isEmpty()) {
            tell(tx, store.resolve(tx, resource, action, users, at, clock.instant()));
        }
    }

    /** What somebody's own asking, such as for access, asked of others until then wants nothing any more. */
    public void settle(Tx tx, Resource resource, Action action, Person author, Instant until) {
        locks.lock(tx, resource);
        waiting.settle(tx, resource.id(), action, author.id(), until);
        tell(tx, store.settle(tx, resource, action, author.id(), until, clock.instant()));
    }

    /** Something happens to a resource: items that were snoozed until then are back. */
    public void stir(Tx tx, Resource resource, Stir stir) {
        tell(tx, store.wake(tx, resource, stir, clock.instant()));
    }

    private void tell(Tx tx, List<UserId> users) {
        if (!users.isEmpty()) {
            listener.changed(tx, users);
        }
    }
}
