package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Resolves items when something has answered them, and wakes those that are snoozed until an event. */
public final class AutoResolver {

    private final InstantSource clock;
    private final ItemListener listener;
    private final AutoResolveStore store = new AutoResolveStore();
    private final ResourceStore locks = new ResourceStore();
    private final PendingItemStore pending = new PendingItemStore();
    private final ItemTimelines timelines;

    AutoResolver(InstantSource clock, ItemListener listener, ItemTimelines timelines) {
        this.clock = clock;
        this.listener = listener;
        this.timelines = timelines;
    }

    /**
     * Records that somebody has acted on a resource, and resolves their items about it up to then. Other users' items are
     * not affected.
     */
    public void recordActivity(Tx tx, Resource resource, ExternalPerson person, Instant at) {
        if (!locks.lock(tx, resource)) {
            return;
        }
        var root = resource.id().equals(resource.root())
                ? resource
                : locks.find(tx, resource.root()).orElse(resource);
        var replayed = new HashSet<Action>();
        person.account().ifPresent(user -> replayed.addAll(timelines.actionsToReplay(tx, root, user, at)));
        var isNew = new AtomicBoolean();
        timelines.replay(
                tx,
                root,
                replayed,
                person.account().stream().toList(),
                () -> isNew.set(store.insertActivity(tx, resource.root(), person.id(), at)));
        if (isNew.get()) {
            person.account()
                    .ifPresent(
                            user -> publish(tx, store.resolveAll(tx, resource, user, replayed, at, clock.instant())));
        }
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
        autoResolve(tx, resource, actions, () -> store.insertResolution(tx, resource.id(), actions, until, false));
    }

    /** As {@link #autoResolve}, because the resource was closed or merged: if it is reopened, the items return. */
    public void end(Tx tx, Resource resource, Set<Action> actions, Instant at) {
        autoResolve(tx, resource, actions, () -> {
            store.deleteSeenEnds(tx, resource.id(), at);
            store.insertResolution(tx, resource.id(), actions, at, true);
        });
    }

    /** Records that a resource has ended before this time, unless that is known: its end was missed. */
    public void endMissed(Tx tx, Resource resource, Set<Action> actions, Instant at) {
        // Locked first: each later event of what has ended asks again, and mostly there is nothing to replay.
        if (!locks.lock(tx, resource) || store.isEnded(tx, resource.id(), at)) {
            return;
        }
        var before = at.minus(1, ChronoUnit.MICROS);
        autoResolve(tx, resource, actions, () -> {
            store.deleteSeenEnds(tx, resource.id(), before);
            store.insertSeenEnd(tx, resource.id(), actions, before);
        });
    }

    private void autoResolve(Tx tx, Resource resource, Set<Action> actions, Runnable change) {
        if (locks.lock(tx, resource)) {
            timelines.replay(tx, resource, actions, null, change);
        }
    }

    /**
     * Records that a resource is open: the items that were resolved because it had ended return, but for those that their
     * owners have marked as done.
     *
     * @param reopened whether it was reopened just then; otherwise that may have been missed
     */
    public void reopen(Tx tx, Resource resource, Instant at, boolean reopened) {
        if (!locks.lock(tx, resource) || !(reopened || store.isEnded(tx, resource.id(), at))) {
            return;
        }
        var actions = store.endedActions(tx, resource.id());
        timelines.replay(tx, resource, actions, null, () -> store.insertReopening(tx, resource.id(), at));
    }

    /** Applies a rule whose facts the caller stores by {@code save}. */
    public void apply(Tx tx, Resource resource, Set<Action> actions, Runnable save) {
        locks.lock(tx, resource);
        timelines.replay(tx, resource, actions, null, save);
    }

    /**
     * Stores a list of the participants of a role by {@code save}: who is not in it is asked no longer.
     *
     * @param removed those whom it may affect; null for everybody
     */
    public void syncParticipants(
            Tx tx,
            Resource resource,
            ParticipantRole role,
            @Nullable Collection<ExternalPerson> removed,
            Instant at,
            Runnable save) {
        locks.lock(tx, resource);
        timelines.replay(tx, resource, Set.copyOf(role.actions()), removed == null ? null : accounts(removed), save);
        if (removed != null) {
            role.actions().forEach(action -> pending.withdraw(tx, resource.id(), action, ids(removed), at));
        }
    }

    /** Records that these people are asked no longer as of then, also by requests that are still to arrive. */
    public void withdrawAsOf(
            Tx tx, Resource resource, Set<Action> actions, Collection<ExternalPerson> people, Instant at) {
        if (people.isEmpty() || !locks.lock(tx, resource)) {
            return;
        }
        actions.forEach(action -> pending.withdraw(tx, resource.id(), action, ids(people), at));
        timelines.replay(
                tx,
                resource,
                actions,
                accounts(people),
                () -> store.insertWithdrawals(tx, resource.id(), actions, ids(people), at));
    }

    /** As {@link #withdrawAsOf}, for all times at which one person was asked no longer, unless they keep resolved items. */
    public void setWithdrawals(
            Tx tx, Resource resource, Action action, ExternalPerson person, SortedSet<Instant> times) {
        boolean isKeeping = !store.keepingResolved(tx, List.of(person)).isEmpty();
        if (!locks.lock(tx, resource)) {
            return;
        }
        var kept = isKeeping ? List.<Instant>of() : List.copyOf(times);
        if (!kept.isEmpty()) {
            pending.withdraw(tx, resource.id(), action, List.of(person.id()), times.last());
        }
        timelines.replay(tx, resource, Set.of(action), person.account().stream().toList(), () -> {
            store.deleteWithdrawals(tx, resource.id(), action, person.id());
            kept.forEach(at -> store.insertWithdrawals(tx, resource.id(), Set.of(action), List.of(person.id()), at));
        });
    }

    private static List<UserId> accounts(Collection<ExternalPerson> people) {
        return people.stream().flatMap(person -> person.account().stream()).toList();
    }

    private static List<PersonId> ids(Collection<ExternalPerson> people) {
        return people.stream().map(ExternalPerson::id).toList();
    }

    /** Withdraws the items of the action that these people got up to then. */
    public void withdraw(Tx tx, Resource resource, Action action, Collection<ExternalPerson> people, Instant at) {
        if (people.isEmpty()) {
            return;
        }
        locks.lock(tx, resource);
        pending.withdraw(tx, resource.id(), action, ids(people), at);
        var users = accounts(people);
        if (!users.isEmpty()) {
            publish(tx, store.resolve(tx, resource, action, users, at, clock.instant()));
        }
    }

    /** Resolves the items of the action that these users got up to then, because they have done what it asks for. */
    public void resolve(Tx tx, Resource resource, Action action, Collection<UserId> users, Instant at) {
        if (!users.isEmpty() && locks.lock(tx, resource)) {
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
        wakeSnoozed(tx, resource, event, clock.instant());
    }

    /** As above, but for those that were snoozed after the event was received. */
    public void wakeSnoozed(Tx tx, Resource resource, SnoozeEvent event, Instant receivedAt) {
        publish(tx, store.wake(tx, resource, event, receivedAt, clock.instant()));
    }

    private void publish(Tx tx, List<UserId> users) {
        if (!users.isEmpty()) {
            listener.changed(tx, users);
        }
    }
}
