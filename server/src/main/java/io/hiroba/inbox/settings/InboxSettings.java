package io.hiroba.inbox.settings;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What people want to get. Everybody sees and changes their own alone. */
public final class InboxSettings {

    private static final int MOST = 500;

    private final Db db;
    private final Namespaces namespaces;
    private final PreferenceStore store = new PreferenceStore();

    public InboxSettings(Db db, Namespaces namespaces) {
        this.db = db;
        this.namespaces = namespaces;
    }

    public List<Preference> preferences(Caller caller) {
        return db.read(reads -> store.of(reads, caller.user()));
    }

    /** Replaces them all. */
    public List<Preference> replace(Caller caller, List<Map.Entry<Scope, Delivery>> wanted) {
        if (wanted.size() > MOST) {
            throw tooMany();
        }
        var scopes = new HashSet<Scope>();
        if (!wanted.stream().map(Map.Entry::getKey).allMatch(scopes::add)) {
            throw InboxProblem.invalid("preferences", "must name each namespace and action once");
        }
        return db.inTransaction(tx -> {
            store.lock(tx, caller.user());
            // Before the old ones go: they too tell what the caller knows.
            wanted.forEach(one -> requireKnown(tx, caller, one.getKey().namespace()));
            store.clear(tx, caller.user());
            wanted.forEach(one -> store.put(tx, caller.user(), one.getKey(), one.getValue()));
            return store.of(tx, caller.user());
        });
    }

    public void put(Caller caller, Scope scope, Delivery delivery) {
        db.useTransaction(tx -> {
            store.lock(tx, caller.user());
            requireKnown(tx, caller, scope.namespace());
            store.put(tx, caller.user(), scope, delivery);
            if (store.count(tx, caller.user()) > MOST) {
                throw tooMany();
            }
        });
    }

    /** Takes a preference back, if there is one: what is wider decides again. */
    public void remove(Caller caller, Scope scope) {
        db.useTransaction(tx -> {
            store.lock(tx, caller.user());
            store.remove(tx, caller.user(), scope);
        });
    }

    /** Whether what has become moot stays until the caller is done with it. */
    public boolean keepsMoot(Caller caller) {
        return db.read(reads -> store.keepsMoot(reads, caller.user()));
    }

    public void keepMoot(Caller caller, boolean keep) {
        db.useTransaction(tx -> store.keepMoot(tx, caller.user(), keep));
    }

    /** One that is not there and one that is not for the caller are answered alike. */
    private void requireKnown(Tx tx, Caller caller, @Nullable NamespaceId namespace) {
        if (namespace == null) {
            return;
        }
        boolean known = namespaces.find(tx, namespace).isPresent()
                && (caller.admin() || store.knows(tx, caller.user(), namespaces.within(tx, namespace)));
        if (!known) {
            throw InboxProblem.namespaceNotFound();
        }
    }

    private static InboxProblem tooMany() {
        return InboxProblem.invalid("preferences", "must be at most %d".formatted(MOST));
    }
}
