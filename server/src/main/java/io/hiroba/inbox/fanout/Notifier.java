package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the items that notification requests ask for. All items of a request are inserted by one statement in the order
 * of the users, so that two requests with many recipients never deadlock.
 */
public final class Notifier {

    private final IdGenerator ids;
    private final InstantSource clock;
    private final Namespaces namespaces;
    private final ResourceMirror resources;
    private final ItemListener listener;
    private final ItemFanoutStore store = new ItemFanoutStore();
    private final AutoResolveStore settings = new AutoResolveStore();
    private final ResourceStore locks = new ResourceStore();
    private final PendingItemStore pending = new PendingItemStore();
    private final MembershipStore members = new MembershipStore();
    private final ItemTimelines timelines;

    public Notifier(
            IdGenerator ids,
            InstantSource clock,
            Namespaces namespaces,
            ResourceMirror resources,
            ItemListener listener) {
        this.ids = ids;
        this.clock = clock;
        this.namespaces = namespaces;
        this.resources = resources;
        this.listener = listener;
        timelines = new ItemTimelines(ids, clock, namespaces, listener);
    }

    /**
     * Notifies those of the people whom this very request has not reached before: two webhooks of one GitLab may send the
     * same event. For people who keep resolved items, a resolved request counts as open.
     */
    public void notifyOnce(Tx tx, NotificationRequest request, Collection<ExternalPerson> people) {
        var fresh = withoutNotified(tx, request, ExternalPerson.distinct(people));
        if (!request.resolved()) {
            notifyPeople(tx, request, fresh);
            return;
        }
        var keeping = settings.keepingResolved(tx, fresh);
        notifyPeople(tx, request, ExternalPerson.minus(fresh, keeping));
        notifyPeople(tx, request.asUnresolved(), keeping);
    }

    /** As {@link #notifyOnce}, for accounts here. */
    public void notifyUsersOnce(Tx tx, NotificationRequest request, Collection<UserId> users) {
        var notified = store.notified(tx, request, users);
        notifyUsers(
                tx,
                request,
                users.stream().filter(user -> !notified.contains(user)).toList());
    }

    private List<ExternalPerson> withoutNotified(Tx tx, NotificationRequest request, List<ExternalPerson> people) {
        if (people.isEmpty()) {
            return people;
        }
        var accounts =
                people.stream().flatMap(person -> person.account().stream()).toList();
        var notified = store.notified(tx, request, accounts);
        var pendingFor = pending.pendingFor(tx, request, people);
        return people.stream()
                .filter(person -> person.account()
                        .map(user -> !notified.contains(user))
                        .orElseGet(() -> !pendingFor.contains(person.id())))
                .toList();
    }

    /** Notifies those who have an account; for the others the item stays pending until they have one. */
    public void notifyPeople(Tx tx, NotificationRequest request, Collection<ExternalPerson> people) {
        var recipients = request.action().isForOthersOnly()
                ? people.stream().filter(person -> !request.author().is(person)).toList()
                : people;
        if (recipients.isEmpty() || !locks.lock(tx, request.resource())) {
            return;
        }
        var left = leftAt(tx, request.resource(), recipients);
        var admitted = recipients.stream()
                .filter(person -> !isLost(left.get(person.id()), request))
                .toList();
        insert(
                tx,
                request,
                admitted.stream().flatMap(person -> person.account().stream()).toList());
        admitted.stream()
                .filter(person -> person.user() == null)
                .map(ExternalPerson::id)
                .sorted(Comparator.comparingLong(PersonId::value))
                .forEach(person -> pending.insert(tx, ids.next(), person, request, clock.instant()));
    }

    /** When those of the people left who have lost access to the resource: what happened before is not theirs to see any more. */
    private Map<PersonId, Instant> leftAt(Tx tx, Resource resource, Collection<ExternalPerson> people) {
        return members.leftAt(tx, namespaces.lineage(tx, resource.namespace()), people, clock.instant());
    }

    /** A mention names anybody at any time; what else is asked of somebody after they left shows that they are back. */
    private static boolean isLost(@Nullable Instant left, NotificationRequest request) {
        boolean isMention = request.action() == Action.MENTIONED || request.action() == Action.DIRECTLY_ADDRESSED;
        return left != null && (isMention || !left.isBefore(request.at()));
    }

    /** Returns the created items: none for users who have such an item already, and for those who want none. */
    public List<CreatedNotification> notifyUsers(Tx tx, NotificationRequest request, Collection<UserId> users) {
        return users.isEmpty() || !locks.lock(tx, request.resource()) ? List.of() : insert(tx, request, users);
    }

    /** As {@link #notifyUsers}, with the resource locked. */
    private List<CreatedNotification> insert(Tx tx, NotificationRequest request, Collection<UserId> users) {
        var recipients = users.stream()
                .filter(user ->
                        !request.action().isForOthersOnly() || !request.author().is(user))
                .distinct()
                .sorted(Comparator.comparingLong(UserId::value))
                .toList();
        if (recipients.isEmpty()) {
            return List.of();
        }
        var late = timelines.late(tx, request, recipients);
        var inOrder = recipients.stream().filter(user -> !late.contains(user)).toList();
        var lineage = namespaces.lineage(tx, request.resource().namespace());
        var created = inOrder.isEmpty()
                ? List.<CreatedNotification>of()
                : store.insert(tx, request, false, inOrder, ids, lineage, clock.instant());
        if (!created.isEmpty()) {
            listener.created(tx, request, created);
            listener.changed(tx, created.stream().map(CreatedNotification::user).toList());
        }
        if (late.isEmpty()) {
            return created;
        }
        var all = new ArrayList<>(created);
        all.addAll(timelines.edit(
                tx,
                request.resource(),
                late.stream()
                        .map(user -> new ItemTimelines.Edit(user, request.action(), null, request))
                        .toList()));
        return all;
    }

    /**
     * A change of what somebody is asked.
     *
     * @param removed the time of a request that turns out not to have been made; null if there is none
     * @param added the request that was made instead, if there is one
     */
    public record Correction(
            ExternalPerson person,
            @Nullable Instant removed,
            @Nullable NotificationRequest added) {}

    /** Corrects requests for an action. What the people have done to the item of a replaced request stays. */
    public void correct(Tx tx, Resource resource, Action action, List<Correction> corrections) {
        if (corrections.isEmpty() || !locks.lock(tx, resource)) {
            return;
        }
        var left = leftAt(
                tx, resource, corrections.stream().map(Correction::person).toList());
        var edits = new ArrayList<ItemTimelines.Edit>();
        for (var each : corrections) {
            var person = each.person();
            var correction = each.added() != null && isLost(left.get(person.id()), each.added())
                    ? new Correction(person, each.removed(), null)
                    : each;
            person.account()
                    .ifPresentOrElse(
                            user -> edits.add(
                                    new ItemTimelines.Edit(user, action, correction.removed(), correction.added())),
                            () -> correctPending(tx, resource, action, correction));
        }
        timelines.edit(tx, resource, edits);
    }

    private void correctPending(Tx tx, Resource resource, Action action, Correction correction) {
        var person = correction.person().id();
        if (correction.removed() != null) {
            pending.retract(tx, resource.id(), action, person, correction.removed());
        }
        if (correction.added() != null) {
            pending.insert(tx, ids.next(), person, correction.added(), clock.instant());
        }
    }

    /**
     * Replaces a mention by an earlier one of the same comment, whose version arrives late. Those who mention themselves are
     * not notified.
     */
    public void moveMention(Tx tx, ExternalPerson person, Instant before, NotificationRequest request) {
        if (!locks.lock(tx, request.resource())) {
            return;
        }
        boolean isOwn = request.author().is(person);
        var resource = request.resource().id();
        int moved = person.account()
                .map(user -> isOwn
                        ? store.deleteMention(tx, user, before, resource)
                        : store.moveMention(tx, user, before, request, clock.instant()))
                .orElseGet(() -> isOwn
                        ? pending.deleteMention(tx, resource, person.id(), before)
                        : pending.moveMention(tx, person.id(), before, request));
        if (moved == 0) {
            notifyPeople(tx, request, List.of(person));
        } else {
            person.account().ifPresent(user -> listener.changed(tx, List.of(user)));
        }
    }

    /** Creates the pending items of a person for the account that they are linked to. */
    void accountLinked(Tx tx, PersonId person, UserId user) {
        locks.lock(tx, pending.resources(tx, person));
        for (var item : pending.take(tx, person)) {
            resources
                    .find(tx, item.resource())
                    .map(resource -> NotificationRequest.of(resource, item.action(), item.author(), item.at()))
                    .ifPresent(request -> notifyUsers(tx, request, List.of(user)));
        }
    }
}
