package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.Operators;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceMirror.UpsertResult;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Mirrors resources of other programs. */
final class ApiResources {

    private static final Set<String> FINAL = Set.of("closed", "merged", "done", "resolved");
    /** All actions but those that are to be read whatever becomes of the resource. */
    private static final Set<Action> ENDED = EnumSet.complementOf(
            EnumSet.of(Action.MENTIONED, Action.DIRECTLY_ADDRESSED, Action.MARKED, Action.REVIEW_SUBMITTED));

    private final Db db;
    private final Operators operators;
    private final Namespaces namespaces;
    private final ResourceMirror resources;
    private final AutoResolver resolver;
    private final ItemListener listener;
    private final ItemRecipientStore recipients = new ItemRecipientStore();

    ApiResources(Db db, Operators operators, Fanout fanout) {
        this.db = db;
        this.operators = operators;
        namespaces = fanout.namespaces();
        resources = fanout.resources();
        resolver = fanout.resolver();
        listener = fanout.listener();
    }

    /** A resource with its namespace. */
    record Placed(Resource resource, Namespace namespace) {}

    /**
     * The result of an upsert.
     *
     * @param newest whether no later snapshot is mirrored
     */
    record Outcome(Placed placed, boolean fresh, boolean newest) {}

    Outcome put(Caller caller, String externalId, ApiResourceSnapshot snapshot, Instant at) {
        operators.require(caller);
        return db.inTransaction(tx -> {
            var namespace = namespaces.at(tx, ConnectionId.API, snapshot.namespace());
            var target = snapshot.target() == null ? null : target(tx, snapshot.target());
            var result = resources.upsert(
                    tx,
                    new ResourceSnapshot(
                            ConnectionId.API,
                            namespace.id(),
                            externalId,
                            snapshot.title(),
                            snapshot.url(),
                            snapshot.state(),
                            at,
                            snapshot.details(target)));
            resolveAndWake(tx, result, snapshot, at);
            return new Outcome(placed(tx, result.resource()), result.before() == null, result.newest());
        });
    }

    /** Resolves and wakes items, also for a late snapshot, as of its time. */
    private void resolveAndWake(Tx tx, UpsertResult result, ApiResourceSnapshot snapshot, Instant at) {
        var resource = result.resource();
        var state = snapshot.state().toLowerCase(Locale.ROOT);
        if (FINAL.contains(state)) {
            resolver.end(tx, resource, ENDED, at);
        } else {
            resolver.reopen(tx, resource, at, false);
        }
        var before = result.before();
        if (before != null && result.newest() && isChanged(before, resource)) {
            resolver.wakeSnoozed(tx, resource, FINAL.contains(state) ? SnoozeEvent.MERGE : SnoozeEvent.ANY);
        }
    }

    /** Whether a reader would see a difference: a repeated snapshot is no event. */
    private static boolean isChanged(Resource before, Resource after) {
        return !before.state().equals(after.state())
                || !before.title().equals(after.title())
                || !before.namespace().equals(after.namespace());
    }

    private Resource target(Tx tx, ApiResourceSnapshot.Target target) {
        return resources
                .find(tx, ConnectionId.API, ApiLookup.type(target.resourceType()), target.resource())
                .orElseThrow(InboxProblem::resourceNotFound);
    }

    Placed get(Caller caller, ResourceType type, String externalId) {
        operators.require(caller);
        return db.inTransaction(tx -> resources
                .find(tx, ConnectionId.API, type, externalId)
                .map(resource -> placed(tx, resource))
                .orElseThrow(InboxProblem::resourceNotFound));
    }

    /** Deletes a resource with all items about it. */
    void delete(Caller caller, ResourceType type, String externalId) {
        operators.require(caller);
        db.useTransaction(tx -> {
            var found =
                    resources.find(tx, ConnectionId.API, type, externalId).orElseThrow(InboxProblem::resourceNotFound);
            List<UserId> owners = recipients.owners(tx, found);
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
