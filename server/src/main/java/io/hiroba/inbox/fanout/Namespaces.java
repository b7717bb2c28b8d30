package io.hiroba.inbox.fanout;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.NamespaceStore.Row;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tree of namespaces, each created when its path, id or name first occurs. One that was known by several of them becomes
 * one as soon as that is known (ADR 54).
 */
public final class Namespaces {

    private static final int MAX_PATH_LENGTH = 500;
    private static final int MAX_DEPTH = 20;
    private static final Pattern SLASH = Pattern.compile("/");

    private final IdGenerator ids;
    private final InstantSource clock;
    private final NamespaceStore store = new NamespaceStore();
    private final NamespaceMergeStore merges = new NamespaceMergeStore();

    public Namespaces(IdGenerator ids, InstantSource clock) {
        this.ids = ids;
        this.clock = clock;
    }

    /** The namespace at {@code path}, created with its ancestors if they are missing. */
    public Namespace at(Tx tx, ConnectionId connection, String path) {
        var found = store.hold(tx, connection, path, null);
        if (found.isPresent()) {
            return found.get();
        }
        var parts = parts(path);
        store.lockTree(tx, connection);
        var created = new LinkedHashSet<String>();
        create(tx, connection, parts, created);
        created.forEach(name -> join(tx, connection, name));
        return store.find(tx, connection, path).orElseThrow().namespace();
    }

    /**
     * As above, for a namespace with a known external id: if it was at another path, it is moved.
     *
     * @param externalId {@code project:15} or {@code group:7}
     * @param at as of when it is there; null if that is unknown
     */
    public Namespace at(Tx tx, ConnectionId connection, String path, String externalId, @Nullable Instant at) {
        var found = store.hold(tx, connection, path, externalId);
        if (found.isPresent()) {
            return found.get();
        }
        var parts = parts(path);
        store.lockTree(tx, connection);
        return place(tx, connection, parts, externalId, at);
    }

    /** A group that is known by its external id and its name, without the names of its ancestors. */
    public Namespace named(Tx tx, ConnectionId connection, String externalId, String name) {
        var found = store.hold(tx, connection, externalId);
        if (found.isPresent() && found.get().pathKnown()) {
            return found.get().namespace();
        }
        parts(name);
        store.lockTree(tx, connection);
        if (store.findExternal(tx, connection, externalId).isEmpty()) {
            store.insert(
                    tx, new Namespace(new NamespaceId(ids.next()), connection, name, name), null, externalId, false);
        }
        join(tx, connection, name);
        return store.findExternal(tx, connection, externalId).orElseThrow().namespace();
    }

    /** Finds the namespace with an external id, if its path is known, as of a time. */
    public Optional<Placed> placed(Reads reads, ConnectionId connection, String externalId) {
        return store.findExternal(reads, connection, externalId)
                .filter(Row::pathKnown)
                .map(row -> new Placed(row.namespace(), Optional.ofNullable(row.pathAt())));
    }

    /** A namespace at its path since a time, if that is known. */
    public record Placed(Namespace namespace, Optional<Instant> since) {}

    /**
     * Records that an event has stated both the external id and the path of a namespace: what is at the path has that id, unless
     * either is known better.
     */
    public void confirm(Tx tx, ConnectionId connection, String externalId, String path) {
        store.lockTree(tx, connection);
        var known = store.findExternal(tx, connection, externalId);
        boolean isElsewhere =
                known.filter(row -> row.pathKnown() && !row.matchedByName()).isPresent();
        boolean isFree = store.find(tx, connection, path)
                .filter(row -> row.externalId() == null || row.matchedByName())
                .isPresent();
        if (isFree && !isElsewhere) {
            place(tx, connection, parts(path), externalId, null);
        }
    }

    private Namespace place(
            Tx tx, ConnectionId connection, List<String> parts, String externalId, @Nullable Instant at) {
        var path = String.join("/", parts);
        var known = store.findExternal(tx, connection, externalId);
        if (known.isPresent() && known.get().isAt(path)) {
            store.setExternalId(tx, known.get().id(), externalId, false);
            return known.get().namespace();
        }
        if (known.isPresent() && known.get().matchedByName()) {
            known = Optional.of(separate(tx, known.get()));
        }
        // The place that it leaves may be that of its new parent.
        known.ifPresent(row -> store.displace(tx, row.id()));
        var there = store.find(tx, connection, path);
        if (there.isPresent() && there.get().matchedByName()) {
            separate(tx, there.get());
        } else if (there.isPresent() && there.get().externalId() != null) {
            store.displace(tx, there.get().id());
            there = Optional.empty();
        }
        var created = new LinkedHashSet<String>();
        var parent = parent(tx, connection, parts, created);
        var moved = known;
        var placed = there.isPresent()
                ? known.map(Row::id)
                        .map(id -> merge(tx, id, there(tx, connection, path), parent))
                        .orElse(there.get().id())
                : known.map(Row::id).orElseGet(() -> insert(tx, connection, path, parts.getLast(), parent));
        store.place(tx, placed, path, parts.getLast(), parent, at);
        store.setExternalId(tx, placed, externalId, false);
        moved.filter(Row::pathKnown).ifPresent(row -> movePaths(tx, placed, row.path(), path, at));
        created.add(parts.getLast());
        moved.map(row -> row.namespace().name()).ifPresent(created::add);
        created.forEach(name -> join(tx, connection, name));
        return store.findExternal(tx, connection, externalId).orElseThrow().namespace();
    }

    private NamespaceId there(Tx tx, ConnectionId connection, String path) {
        return store.find(tx, connection, path).orElseThrow().id();
    }

    private NamespaceId insert(Tx tx, ConnectionId connection, String path, String name, @Nullable NamespaceId parent) {
        var id = new NamespaceId(ids.next());
        store.insert(tx, new Namespace(id, connection, path, name), parent, null, true);
        return id;
    }

    private @Nullable NamespaceId parent(Tx tx, ConnectionId connection, List<String> parts, Set<String> created) {
        return parts.size() == 1 ? null : create(tx, connection, parts.subList(0, parts.size() - 1), created);
    }

    /** @param created the names of those that were missing are added to it */
    private NamespaceId create(Tx tx, ConnectionId connection, List<String> parts, Set<String> created) {
        var path = String.join("/", parts);
        var found = store.find(tx, connection, path);
        if (found.isPresent()) {
            return found.get().id();
        }
        var parent = parent(tx, connection, parts, created);
        created.add(parts.getLast());
        return insert(tx, connection, path, parts.getLast(), parent);
    }

    /**
     * Joins a group whose path nobody knows with the path of that name whose group nobody knows, if there is one of each. With
     * another of either, a pair that was joined by its name is taken apart: which of them are one is no longer known.
     */
    private void join(Tx tx, ConnectionId connection, String name) {
        var unplaced = store.unplaced(tx, connection, name);
        var unidentified = store.unidentified(tx, connection, name);
        var matched = store.matchedByName(tx, connection, name);
        if (matched.isPresent() && !(unplaced.isEmpty() && unidentified.isEmpty())) {
            separate(tx, matched.get());
        }
        if (matched.isPresent() || unplaced.size() != 1 || unidentified.size() != 1) {
            return;
        }
        var group = unplaced.getFirst();
        var place = unidentified.getFirst();
        var lineage = store.lineage(tx, place.id());
        var parent = lineage.size() > 1 ? lineage.get(1) : null;
        var joined = merge(tx, group.id(), place.id(), parent);
        store.place(tx, joined, place.path(), name, parent, null);
        store.setExternalId(tx, joined, group.externalId(), true);
    }

    /** Merges two rows of one namespace into the older one, which is left without an external id and a known path. */
    private NamespaceId merge(Tx tx, NamespaceId one, NamespaceId other, @Nullable NamespaceId parent) {
        var into = one.value() < other.value() ? one : other;
        var from = into.equals(one) ? other : one;
        merges.lock(tx, one, other);
        merges.setParent(tx, into, Optional.ofNullable(parent));
        merges.move(tx, from, into);
        store.delete(tx, from);
        merges.revokeAgain(tx, into, clock.instant());
        return into;
    }

    /** Takes a group from the namespace that it was matched with by its name: it is another one. */
    private Row separate(Tx tx, Row matched) {
        var namespace = matched.namespace();
        var externalId = String.valueOf(matched.externalId());
        var id = new NamespaceId(ids.next());
        store.setExternalId(tx, matched.id(), null, false);
        store.insert(
                tx,
                new Namespace(id, namespace.connection(), namespace.name(), namespace.name()),
                null,
                externalId,
                false);
        merges.moveMembers(tx, matched.id(), id);
        return store.findExternal(tx, namespace.connection(), externalId).orElseThrow();
    }

    /** Moves the descendants along with a namespace. One whose new place is taken by another id waits for an event of its own. */
    private void movePaths(Tx tx, NamespaceId moved, String before, String after, @Nullable Instant at) {
        for (var row : store.below(tx, moved)) {
            boolean isMoved = after.startsWith(before + "/") && row.path().startsWith(after + "/");
            if (!row.pathKnown() || isMoved || !row.path().startsWith(before + "/")) {
                continue;
            }
            var connection = row.namespace().connection();
            var path = after + row.path().substring(before.length());
            var parent = store.find(tx, connection, path.substring(0, path.lastIndexOf('/')));
            var there = store.find(tx, connection, path);
            if (parent.isEmpty() || path.length() > MAX_PATH_LENGTH) {
                continue;
            }
            var name = row.namespace().name();
            if (there.isEmpty()) {
                store.place(tx, row.id(), path, name, parent.get().id(), at);
            } else if (row.externalId() == null || there.get().externalId() == null) {
                var externalId = row.externalId() == null ? there.get().externalId() : row.externalId();
                boolean matched = row.matchedByName() || there.get().matchedByName();
                var merged = merge(tx, row.id(), there.get().id(), parent.get().id());
                store.place(tx, merged, path, name, parent.get().id(), at);
                store.setExternalId(tx, merged, externalId, matched);
            }
        }
    }

    private static List<String> parts(String path) {
        var parts = List.of(SLASH.split(path, -1));
        if (path.length() > MAX_PATH_LENGTH
                || parts.size() > MAX_DEPTH
                || parts.stream().anyMatch(part -> part.isBlank() || part.indexOf('\0') >= 0)) {
            throw InboxProblem.invalid(
                    "namespace", Text.of("inbox.field.namespace", "depth", MAX_DEPTH, "max", MAX_PATH_LENGTH));
        }
        return parts;
    }

    /** Finds a namespace, also by the id of one that was merged into it. */
    public Optional<Namespace> find(Reads reads, NamespaceId id) {
        return store.find(reads, id);
    }

    public Optional<Namespace> find(Reads reads, ConnectionId connection, String path) {
        return store.find(reads, connection, path).map(Row::namespace);
    }

    /** The namespace and its ancestors, the nearest first. */
    public List<NamespaceId> lineage(Reads reads, NamespaceId id) {
        return store.lineage(reads, id);
    }

    /** The namespace and its descendants. */
    public List<NamespaceId> within(Reads reads, NamespaceId id) {
        return store.within(reads, id);
    }

    /** Deletes a namespace with its descendants and all items about resources in them. */
    public void delete(Tx tx, NamespaceId id) {
        store.delete(tx, id);
    }
}
