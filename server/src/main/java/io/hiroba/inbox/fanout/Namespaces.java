package io.hiroba.inbox.fanout;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tree of namespaces, each created when its path first occurs. */
public final class Namespaces {

    private static final int MAX_PATH_LENGTH = 500;
    private static final int MAX_DEPTH = 20;
    private static final Pattern SLASH = Pattern.compile("/");

    private final IdGenerator ids;
    private final NamespaceStore store = new NamespaceStore();

    public Namespaces(IdGenerator ids) {
        this.ids = ids;
    }

    /** The namespace at {@code path}, created with its ancestors if they are missing. */
    public Namespace at(Tx tx, ConnectionId connection, String path) {
        return at(tx, connection, path, null);
    }

    /**
     * As above, for a namespace with a known external id: if it was at another path, it is moved.
     *
     * @param externalId {@code project:15} or {@code group:7}
     */
    public Namespace at(Tx tx, ConnectionId connection, String path, @Nullable String externalId) {
        var found = store.find(tx, connection, path);
        if (found.isPresent()
                && (externalId == null || store.isKnownAs(tx, found.get().id(), externalId))) {
            return found.get();
        }
        var parts = parts(path);
        if (externalId != null) {
            var parent = parent(tx, connection, parts);
            return store.upsert(
                    tx,
                    new Namespace(new NamespaceId(ids.next()), connection, path, parts.getLast()),
                    parent,
                    externalId);
        }
        return create(tx, connection, parts);
    }

    private @Nullable NamespaceId parent(Tx tx, ConnectionId connection, List<String> parts) {
        return parts.size() == 1
                ? null
                : create(tx, connection, parts.subList(0, parts.size() - 1)).id();
    }

    private Namespace create(Tx tx, ConnectionId connection, List<String> parts) {
        var path = String.join("/", parts);
        var found = store.find(tx, connection, path);
        if (found.isPresent()) {
            return found.get();
        }
        var parent = parent(tx, connection, parts);
        store.insert(tx, new Namespace(new NamespaceId(ids.next()), connection, path, parts.getLast()), parent);
        return store.find(tx, connection, path).orElseThrow();
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

    public Optional<Namespace> find(Reads reads, NamespaceId id) {
        return store.find(reads, id);
    }

    public Optional<Namespace> find(Reads reads, ConnectionId connection, String path) {
        return store.find(reads, connection, path);
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
