package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.Operators;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Notifies people and records their activity for other programs. */
final class ApiNotifications {

    private final Db db;
    private final Operators operators;
    private final ApiLookup lookup;
    private final ExternalPeople people;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final ItemRecipientStore recipients = new ItemRecipientStore();

    ApiNotifications(Db db, Operators operators, ApiLookup lookup, Fanout fanout) {
        this.db = db;
        this.operators = operators;
        this.lookup = lookup;
        people = fanout.people();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    void requireOperator(Caller caller) {
        operators.require(caller);
    }

    /** A resource by the name that a request gives it. */
    record Named(ResourceType type, String resource) {}

    /**
     * The result of a notification.
     *
     * @param duplicates users who have such an item that is not done
     * @param off users whose preferences turn it off, or its author
     */
    record Outcome(List<CreatedNotification> created, List<UserId> duplicates, List<UserId> off) {}

    Outcome notify(Tx tx, Named named, Action action, List<String> users, @Nullable String author, Instant at) {
        var resource = lookup.resource(tx, named.type(), named.resource());
        var requested = lookup.users(tx, users);
        var by = author == null ? NotificationAuthor.NOBODY : NotificationAuthor.of(lookup.user(tx, author));
        var request = NotificationRequest.of(resource, action, by, at);
        var created = notifier.notifyUsers(tx, request, requested);
        var notified = created.stream().map(CreatedNotification::user).collect(Collectors.toUnmodifiableSet());
        var rest = requested.stream().filter(user -> !notified.contains(user)).toList();
        Set<UserId> having = new HashSet<>(recipients.having(tx, resource, action, rest));
        return new Outcome(
                created,
                rest.stream().filter(having::contains).toList(),
                rest.stream().filter(user -> !having.contains(user)).toList());
    }

    /** Records that a user has acted on the resource, which resolves their items about it up to then. */
    void recordActivity(Caller caller, Named named, String user, Instant at) {
        operators.require(caller);
        db.useTransaction(tx -> {
            var resource = lookup.resource(tx, named.type(), named.resource());
            resolver.recordActivity(tx, resource, people.local(tx, lookup.user(tx, user)), at);
        });
    }

    /** Wakes the items that are snoozed until this event. */
    void wakeSnoozed(Caller caller, Named named, SnoozeEvent event) {
        operators.require(caller);
        db.useTransaction(tx -> resolver.wakeSnoozed(tx, lookup.resource(tx, named.type(), named.resource()), event));
    }
}
