package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The facade of recipients' preferences and settings. */
public final class InboxSettings {

    private static final int MAX_PREFERENCES = 500;

    private final Db db;
    private final Namespaces namespaces;
    private final InboxPreferenceStore store = new InboxPreferenceStore();

    public InboxSettings(Db db, Namespaces namespaces) {
        this.db = db;
        this.namespaces = namespaces;
    }

    public List<InboxPreference> preferences(Caller caller) {
        return db.read(reads -> store.of(reads, caller.user()));
    }

    public List<InboxPreference> replace(Caller caller, List<Map.Entry<InboxPreference.Scope, DeliveryMode>> wanted) {
        if (wanted.size() > MAX_PREFERENCES) {
            throw tooMany();
        }
        var scopes = new HashSet<InboxPreference.Scope>();
        if (!wanted.stream().map(Map.Entry::getKey).allMatch(scopes::add)) {
            throw InboxProblem.invalid("preferences", Text.of("inbox.field.each-once"));
        }
        return db.inTransaction(tx -> {
            store.lock(tx, caller.user());
            // Before the old ones are deleted: a namespace is known by them as well.
            var known = wanted.stream()
                    .map(one -> Map.entry(requireKnown(tx, caller, one.getKey()), one.getValue()))
                    .toList();
            store.clear(tx, caller.user());
            known.forEach(one -> store.put(tx, caller.user(), one.getKey(), one.getValue()));
            return store.of(tx, caller.user());
        });
    }

    public void put(Caller caller, InboxPreference.Scope scope, DeliveryMode delivery) {
        db.useTransaction(tx -> {
            store.lock(tx, caller.user());
            store.put(tx, caller.user(), requireKnown(tx, caller, scope), delivery);
            if (store.count(tx, caller.user()) > MAX_PREFERENCES) {
                throw tooMany();
            }
        });
    }

    /** Removes a preference, if there is one: the next wider one applies again. */
    public void remove(Caller caller, InboxPreference.Scope scope) {
        db.useTransaction(tx -> {
            store.lock(tx, caller.user());
            store.remove(tx, caller.user(), current(tx, scope).orElse(scope));
        });
    }

    /** Whether resolved items stay until the caller dismisses them. */
    public boolean keepsResolved(Caller caller) {
        return db.read(reads -> store.keepsResolved(reads, caller.user()));
    }

    public void keepResolved(Caller caller, boolean keep) {
        db.useTransaction(tx -> store.keepResolved(tx, caller.user(), keep));
    }

    /** The same problem for unknown namespaces and for those that the caller has nothing in, so that none can be probed. */
    private InboxPreference.Scope requireKnown(Tx tx, Caller caller, InboxPreference.Scope scope) {
        var namespace = scope.namespace();
        return namespace == null
                ? scope
                : current(tx, scope)
                        .filter(_ ->
                                caller.admin() || store.isKnown(tx, caller.user(), namespaces.within(tx, namespace)))
                        .orElseThrow(InboxProblem::namespaceNotFound);
    }

    /** The scope with the namespace that its namespace was merged into, if it was; empty if there is none. */
    private Optional<InboxPreference.Scope> current(Tx tx, InboxPreference.Scope scope) {
        return Optional.ofNullable(scope.namespace())
                .flatMap(id -> namespaces.find(tx, id))
                .map(found -> new InboxPreference.Scope(found.id(), scope.action()));
    }

    private static InboxProblem tooMany() {
        return InboxProblem.invalid("preferences", Text.of("inbox.field.at-most", "max", MAX_PREFERENCES));
    }
}
