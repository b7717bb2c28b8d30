package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Namespace;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.inbox.resources.Told;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Mirrors our own things, and tells people of them. */
public final class Ours {

    private static final long BELOW_MILLISECONDS = (1 << 20) - 1;

    private final Namespaces namespaces;
    private final Resources resources;
    private final Notifier notifier;
    private final Resolver resolver;
    private final ItemListener listener;
    private final OwnStore store = new OwnStore();

    public Ours(
            Namespaces namespaces, Resources resources, Notifier notifier, Resolver resolver, ItemListener listener) {
        this.namespaces = namespaces;
        this.resources = resources;
        this.notifier = notifier;
        this.resolver = resolver;
        this.listener = listener;
    }

    /**
     * When something happened: later for each event than for those before it, though the clock of the log moves in leaps
     * of about a second.
     */
    static Instant moment(Event event) {
        return event.at().plus(event.id() & BELOW_MILLISECONDS, ChronoUnit.MICROS);
    }

    /** Takes in how one of our things is now. */
    Resource mirror(
            Tx tx,
            String namespace,
            String externalId,
            String title,
            String url,
            String state,
            Instant at,
            Details details) {
        var place = namespaces.at(tx, ConnectionId.HIROBA, namespace).id();
        return resources
                .mirror(tx, new Told(ConnectionId.HIROBA, place, externalId, title, url, state, at, details))
                .resource();
    }

    Optional<Resource> find(Reads reads, ResourceType type, String externalId) {
        return resources.find(reads, ConnectionId.HIROBA, type, externalId);
    }

    Set<String> mirrored(Reads reads, ResourceType type, Collection<String> externalIds) {
        return store.mirrored(reads, type, externalIds);
    }

    void delete(Tx tx, ResourceType type, String externalId) {
        find(tx, type, externalId).ifPresent(resource -> {
            var readers = store.readers(tx, resource);
            resources.delete(tx, resource.id());
            tellChanged(tx, readers);
        });
    }

    Optional<NamespaceId> namespace(Reads reads, String path) {
        return namespaces.find(reads, ConnectionId.HIROBA, path).map(Namespace::id);
    }

    /** Takes a namespace away with all that is about anything in it. */
    void deleteNamespace(Tx tx, String path) {
        namespace(tx, path).ifPresent(namespace -> {
            var readers = store.readers(tx, namespace);
            namespaces.delete(tx, namespace);
            tellChanged(tx, readers);
        });
    }

    private void tellChanged(Tx tx, List<UserId> readers) {
        if (!readers.isEmpty()) {
            listener.changed(tx, readers);
        }
    }

    boolean isPresent(Reads reads, UserId user) {
        return !store.present(reads, List.of(user)).isEmpty();
    }

    /** Tells those whose accounts are still there. */
    void tell(Tx tx, Resource resource, Action action, Author author, Collection<UserId> users, Instant at) {
        notifier.tellUsers(tx, News.of(resource, action, author, at), store.present(tx, users));
    }

    /** Who did something, if their account is still there. */
    Author author(Reads reads, UserId user) {
        return isPresent(reads, user) ? Author.of(user) : Author.NOBODY;
    }

    void moot(Tx tx, Resource resource, Set<Action> actions, Instant until) {
        resolver.moot(tx, resource, actions, until);
    }

    void withdraw(Tx tx, Resource resource, Action action, Collection<Person> people, Instant at) {
        resolver.withdraw(tx, resource, action, people, at);
    }
}
