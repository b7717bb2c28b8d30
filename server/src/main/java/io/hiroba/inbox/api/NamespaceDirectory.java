package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxPorts.Operators;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.Memberships;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Lists the namespaces that a user has items in, and changes their members. */
final class NamespaceDirectory {

    private final Db db;
    private final Operators operators;
    private final ApiLookup lookup;
    private final Namespaces namespaces;
    private final ExternalPeople people;
    private final Memberships members;
    private final NamespaceDirectoryStore store = new NamespaceDirectoryStore();

    NamespaceDirectory(Db db, Operators operators, ApiLookup lookup, Fanout fanout) {
        this.db = db;
        this.operators = operators;
        this.lookup = lookup;
        namespaces = fanout.namespaces();
        people = fanout.people();
        members = fanout.memberships();
    }

    /** The position of a namespace in the list. */
    record Position(String path, NamespaceId id) {}

    /**
     * The namespaces of the caller's items with their ancestors, by path; for an admin all namespaces.
     *
     * @param prefix of their paths
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
            throw InboxProblem.invalid("access", Text.of("inbox.field.access"));
        }
        db.useTransaction(tx -> {
            var found = requireNamespace(tx, namespace);
            members.join(tx, found, people.local(tx, lookup.user(tx, user)).id(), access, at);
        });
    }

    void leave(Caller caller, NamespaceId namespace, String user, Instant at) {
        operators.require(caller);
        db.useTransaction(tx -> {
            var found = requireNamespace(tx, namespace);
            members.leave(tx, found, people.local(tx, lookup.user(tx, user)).id(), at);
        });
    }

    private NamespaceId requireNamespace(Tx tx, NamespaceId namespace) {
        return namespaces.find(tx, namespace).map(Namespace::id).orElseThrow(InboxProblem::namespaceNotFound);
    }
}
