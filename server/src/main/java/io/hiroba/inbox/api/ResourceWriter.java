package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.inbox.resources.Mirrored;
import io.hiroba.inbox.resources.Namespace;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.inbox.resources.Told;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Mirrors resources of which other programs tell. */
public final class ResourceWriter {

    private static final Set<String> FINAL = Set.of("closed", "merged", "done", "resolved");
    /** All but what is said to somebody for its own sake: to be read, whatever becomes of the resource. */
    private static final Set<Action> ENDED = EnumSet.complementOf(
            EnumSet.of(Action.MENTIONED, Action.DIRECTLY_ADDRESSED, Action.MARKED, Action.REVIEW_SUBMITTED));

    private final Db db;
    private final Operators operators;
    private final Namespaces namespaces;
    private final Resources resources;
    private final Resolver resolver;
    private final ItemListener listener;
    private final ConcernedStore concerned = new ConcernedStore();

    public ResourceWriter(
            Db db,
            Operators operators,
            Namespaces namespaces,
            Resources resources,
            Resolver resolver,
            ItemListener listener) {
        this.db = db;
        this.operators = operators;
        this.namespaces = namespaces;
        this.resources = resources;
        this.resolver = resolver;
        this.listener = listener;
    }

    /** A resource with the namespace that it belongs to. */
    record Placed(Resource resource, Namespace namespace) {}

    /**
     * What became of a telling.
     *
     * @param newest whether nothing later had been told before
     */
    record Outcome(Placed placed, boolean fresh, boolean newest) {}

    Outcome put(Caller caller, String externalId, Telling telling, Instant at) {
        operators.require(caller);
        return db.inTransaction(tx -> {
            var namespace = namespaces.at(tx, ConnectionId.API, telling.namespace());
            var target = telling.target() == null ? null : target(tx, telling.target());
            var mirrored = resources.mirror(
                    tx,
                    new Told(
                            ConnectionId.API,
                            namespace.id(),
                            externalId,
                            telling.title(),
                            telling.url(),
                            telling.state(),
                            at,
                            telling.details(target)));
            follow(tx, mirrored, telling, at);
            return new Outcome(placed(tx, mirrored.resource()), mirrored.before() == null, mirrored.newest());
        });
    }

    /** What comes of it does so also if it is told late: it was so at that time. */
    private void follow(Tx tx, Mirrored mirrored, Telling telling, Instant at) {
        var resource = mirrored.resource();
        var state = telling.state().toLowerCase(Locale.ROOT);
        if (FINAL.contains(state)) {
            resolver.moot(tx, resource, ENDED, at);
        }
        var before = mirrored.before();
        if (before != null && mirrored.newest() && !before.state().equals(resource.state())) {
            resolver.stir(tx, resource, state.equals("merged") ? Stir.MERGE : Stir.ANY);
        }
    }

    private Resource target(Tx tx, Telling.Target target) {
        return resources
                .find(tx, ConnectionId.API, Lookup.type(target.resourceType()), target.resource())
                .orElseThrow(InboxProblem::resourceNotFound);
    }

    Placed get(Caller caller, ResourceType type, String externalId) {
        operators.require(caller);
        return db.inTransaction(tx -> resources
                .find(tx, ConnectionId.API, type, externalId)
                .map(resource -> placed(tx, resource))
                .orElseThrow(InboxProblem::resourceNotFound));
    }

    /** Takes a resource away with all items about it. */
    void delete(Caller caller, ResourceType type, String externalId) {
        operators.require(caller);
        db.useTransaction(tx -> {
            var found =
                    resources.find(tx, ConnectionId.API, type, externalId).orElseThrow(InboxProblem::resourceNotFound);
            List<UserId> owners = concerned.owners(tx, found);
            resources.delete(tx, found.id());
            if (!owners.isEmpty()) {
                listener.changed(tx, owners);
            }
        });
    }

    private Placed placed(Tx tx, Resource resource) {
        return new Placed(resource, namespaces.find(tx, resource.namespace()).orElseThrow());
    }
}
