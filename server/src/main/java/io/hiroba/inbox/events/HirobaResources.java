package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Mirrors resources of Hiroba itself and notifies people of them. */
final class HirobaResources {

    private static final long BELOW_MILLISECONDS = (1 << 20) - 1;

    private final Namespaces namespaces;
    private final ResourceMirror resources;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final ItemListener listener;
    private final HirobaResourceStore store = new HirobaResourceStore();

    HirobaResources(Fanout fanout) {
        namespaces = fanout.namespaces();
        resources = fanout.resources();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
        listener = fanout.listener();
    }

    /**
     * The time of an event, made unique by its id: the clock of the event log has a resolution of about a second.
     */
    static Instant happenedAt(Event event) {
        return event.at().plus(event.id() & BELOW_MILLISECONDS, ChronoUnit.MICROS);
    }

    Resource mirror(
            Tx tx,
            String namespace,
            String externalId,
            String title,
            String url,
            String state,
            Instant at,
            ResourceDetails details) {
        var parent = namespaces.at(tx, ConnectionId.HIROBA, namespace).id();
        return resources
                .upsert(
                        tx,
                        new ResourceSnapshot(ConnectionId.HIROBA, parent, externalId, title, url, state, at, details))
                .resource();
    }

    /** Mirrors a namespace itself, for what is about all that is in it. */
    Resource mirrorNamespace(Tx tx, String path, String url) {
        return mirrorNamespace(tx, path, path, url, Instant.EPOCH);
    }

    /** The same under a title that it has at a time. */
    Resource mirrorNamespace(Tx tx, String path, String title, String url, Instant at) {
        var namespace = namespaces.at(tx, ConnectionId.HIROBA, path).id();
        var details = new ResourceDetails.Group(namespace);
        return mirror(tx, path, namespace.hex(), title, url, "opened", at, details);
    }

    Optional<Resource> find(Reads reads, ResourceType type, String externalId) {
        return resources.find(reads, ConnectionId.HIROBA, type, externalId);
    }

    /** Has the records of a schema known by another name of it. */
    void renameRecords(Tx tx, RecordRef before, RecordRef after) {
        store.rename(tx, ResourceType.RECORD, before, after);
    }

    Set<String> mirrored(Reads reads, ResourceType type, Collection<String> externalIds) {
        return store.mirrored(reads, type, externalIds);
    }

    void delete(Tx tx, ResourceType type, String externalId) {
        find(tx, type, externalId).ifPresent(resource -> {
            var readers = store.readers(tx, resource);
            resources.delete(tx, resource.id());
            publishChange(tx, readers);
        });
    }

    Optional<NamespaceId> namespace(Reads reads, String path) {
        return namespaces.find(reads, ConnectionId.HIROBA, path).map(Namespace::id);
    }

    void deleteNamespace(Tx tx, String path) {
        namespace(tx, path).ifPresent(namespace -> {
            var readers = store.readers(tx, namespace);
            namespaces.delete(tx, namespace);
            publishChange(tx, readers);
        });
    }

    private void publishChange(Tx tx, List<UserId> readers) {
        if (!readers.isEmpty()) {
            listener.changed(tx, readers);
        }
    }

    boolean exists(Reads reads, UserId user) {
        return !store.existing(reads, List.of(user)).isEmpty();
    }

    /** Notifies those of the users whose accounts still exist. */
    void notify(
            Tx tx, Resource resource, Action action, NotificationAuthor author, Collection<UserId> users, Instant at) {
        notifier.notifyUsers(tx, NotificationRequest.of(resource, action, author, at), store.existing(tx, users));
    }

    /** The author of an event, if their account still exists. */
    NotificationAuthor author(Reads reads, UserId user) {
        return exists(reads, user) ? NotificationAuthor.of(user) : NotificationAuthor.NOBODY;
    }

    void autoResolve(Tx tx, Resource resource, Set<Action> actions, Instant until) {
        resolver.autoResolve(tx, resource, actions, until);
    }

    /** Resolves the items of these users about the resource that were requested up to then. */
    void resolve(Tx tx, Resource resource, Action action, Collection<UserId> users, Instant at) {
        resolver.resolve(tx, resource, action, users, at);
    }

    void withdraw(Tx tx, Resource resource, Action action, Collection<ExternalPerson> people, Instant at) {
        resolver.withdraw(tx, resource, action, people, at);
    }
}
