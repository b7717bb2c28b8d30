package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.resources.Namespace;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.People;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The namespaces that somebody has to do with, and who belongs to them. */
public final class NamespaceDirectory {

    private final Db db;
    private final Operators operators;
    private final Lookup lookup;
    private final Namespaces namespaces;
    private final People people;
    private final Members members;
    private final NamespaceDirectoryStore store = new NamespaceDirectoryStore();

    public NamespaceDirectory(
            Db db, Operators operators, Lookup lookup, Namespaces namespaces, People people, Members members) {
        this.db = db;
        this.operators = operators;
        this.lookup = lookup;
        this.namespaces = namespaces;
        this.people = people;
        this.members = members;
    }

    /** Where a page of them ended. */
    record Position(String path, NamespaceId id) {}

    /**
     * Those in which the caller has items, with all above them, by their paths; for an admin all there are.
     *
     * @param prefix with what their paths begin
     */
    List<Namespace> list(Caller caller, String prefix, Optional<Position> after, int limit) {
        var from = after.orElse(new Position("", new NamespaceId(0)));
        return db.read(reads -> caller.admin()
                ? store.all(reads, prefix, from, limit)
                : store.of(reads, caller.user(), prefix, from, limit));
    }

    void join(Caller caller, NamespaceId namespace, String user, int access, Instant at) {
        operators.require(caller);
        if (access < 1 || access > 50) {
            throw InboxProblem.invalid("access", "must be from 1 to 50, as in GitLab: 30 for a developer");
        }
        db.useTransaction(tx -> {
            requireNamespace(tx, namespace);
            members.joined(tx, namespace, people.here(tx, lookup.user(tx, user)).id(), access, at);
        });
    }

    void leave(Caller caller, NamespaceId namespace, String user, Instant at) {
        operators.require(caller);
        db.useTransaction(tx -> {
            requireNamespace(tx, namespace);
            members.left(tx, namespace, people.here(tx, lookup.user(tx, user)).id(), at);
        });
    }

    private void requireNamespace(Tx tx, NamespaceId namespace) {
        if (namespaces.find(tx, namespace).isEmpty()) {
            throw InboxProblem.namespaceNotFound();
        }
    }
}
