package io.hiroba.knowledge;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem.Kind;
import java.time.InstantSource;
import java.util.List;

/** Shares collections with projects: whoever is a member of one has its role in the collection, for as long as they are a member. */
public final class SharedProjects {

    private final Db db;
    private final InstantSource clock;
    private final AuditLog audit;
    private final int max;
    private final CollectionStore collections = new CollectionStore();
    private final CollectionProjectStore store = new CollectionProjectStore();

    /** @param max the projects with which a collection can be shared */
    SharedProjects(Db db, InstantSource clock, AuditLog audit, int max) {
        this.db = db;
        this.clock = clock;
        this.audit = audit;
        this.max = max;
    }

    /** A project and the role of its members in a collection. */
    public record ProjectShare(long id, String name, Role role) {}

    /** The projects with which the collection is shared, the oldest first, for those who may add to it. */
    public List<ProjectShare> list(Caller caller, CollectionId id, long after, int limit) {
        return db.read(reads -> {
            KnowledgeCollections.requireEditor(find(reads, caller, id));
            return store.list(reads, id, after, limit);
        });
    }

    /** The caller's projects with which the collection is not shared. */
    public List<ProjectShare> choices(Caller caller, CollectionId id, int limit) {
        return db.read(reads -> store.choices(reads, id, caller.user(), limit));
    }

    /** Shares with a project of the caller's, or gives one another role. A private collection becomes a shared one. */
    public void put(Caller caller, CollectionId id, long project, Role role) {
        db.useTransaction(tx -> {
            collections.lock(tx, id);
            var collection = KnowledgeCollections.requireManager(find(tx, caller, id));
            var before = store.find(tx, id, project);
            if (before.isEmpty()) {
                requireRoom(tx, caller, id, project);
            }
            store.put(tx, id, project, role, clock.instant());
            collections.makeShared(tx, collection);
            var former = before.map(share -> share.role().text()).orElse(null);
            var changes = Changes.NONE.with("project", null, Ids.hex(project)).with("role", former, role.text());
            audit.record(tx, caller, AuditLog.Action.COLLECTION_MEMBER_SET, target(collection), changes);
        });
    }

    private void requireRoom(Tx tx, Caller caller, CollectionId id, long project) {
        // Nobody is told whether a project is there of which they are no member.
        if (!store.isMember(tx, project, caller.user())) {
            throw new KnowledgeProblem(Kind.NOT_FOUND, "no-project");
        }
        store.removeGone(tx, id);
        if (store.count(tx, id) >= max) {
            throw new KnowledgeProblem(Kind.CONFLICT, "too-many-members", "max", max);
        }
    }

    public void remove(Caller caller, CollectionId id, long project) {
        db.useTransaction(tx -> {
            collections.lock(tx, id);
            var collection = KnowledgeCollections.requireManager(find(tx, caller, id));
            var before =
                    store.find(tx, id, project).orElseThrow(() -> new KnowledgeProblem(Kind.NOT_FOUND, "no-member"));
            store.remove(tx, id, project);
            var changes = Changes.NONE
                    .with("project", Ids.hex(project), null)
                    .with("role", before.role().text(), null);
            audit.record(tx, caller, AuditLog.Action.COLLECTION_MEMBER_REMOVED, target(collection), changes);
        });
    }

    void removeAll(Tx tx, CollectionId id) {
        store.removeAll(tx, id);
    }

    private Collection find(Reads reads, Caller caller, CollectionId id) {
        return collections.find(reads, caller, id).orElseThrow(KnowledgeCollections::none);
    }

    private static Target target(Collection collection) {
        return Target.of(TargetKind.COLLECTION, collection.id().hex(), null, collection.owner());
    }
}
