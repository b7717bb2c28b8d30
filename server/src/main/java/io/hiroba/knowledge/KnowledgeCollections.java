package io.hiroba.knowledge;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.task.RetentionSweep;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collections of sources, which are private, shared with people in roles, or public. */
public final class KnowledgeCollections {

    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_DESCRIPTION_LENGTH = 2_000;
    private static final int BATCH_SIZE = 50;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final SourceWriter writer;
    private final KnowledgeConfig.CollectionsConfig config;
    private final AuditLog audit;
    private final CollectionStore store = new CollectionStore();
    private final SharedProjects projects;
    private final SourceStore sources = new SourceStore();

    KnowledgeCollections(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            SourceWriter writer,
            KnowledgeConfig.CollectionsConfig config) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.writer = writer;
        this.config = config;
        this.audit = new AuditLog(db);
        this.projects = new SharedProjects(db, clock, audit, config.members());
    }

    /** The id of a collection. */
    public record CollectionId(long value) implements SnowflakeId {

        public static CollectionId parse(String hex) {
            return new CollectionId(Ids.parse(hex));
        }

        @Override
        public String toString() {
            return hex();
        }
    }

    /** Readers of a collection: its owner, its members, or everybody. */
    public enum Visibility {
        PRIVATE,
        SHARED,
        PUBLIC;

        /** As in the database and the API. */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Visibility parse(String text) {
            return constant(values(), text, "visibility");
        }
    }

    /** A role in a collection; each may do what those before it may. */
    public enum Role {
        READER,
        /** Adds and changes sources. */
        EDITOR,
        /** Changes the collection, its members and its watches. */
        MANAGER;

        /** As in the database and the API. */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Reads a role from a request. */
        public static Role parse(String text) {
            return constant(values(), text, "role");
        }

        static @Nullable Role of(@Nullable String stored) {
            return stored == null ? null : valueOf(stored.toUpperCase(Locale.ROOT));
        }

        boolean includes(Role other) {
            return compareTo(other) >= 0;
        }
    }

    private static <E extends Enum<E>> E constant(E[] all, String text, String field) {
        var names = Arrays.stream(all)
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
        if (!names.contains(text)) {
            throw KnowledgeProblem.invalid(field, Text.of("http.field.one-of", "values", String.join(", ", names)));
        }
        return all[names.indexOf(text)];
    }

    /**
     * A collection as a caller sees it.
     *
     * @param role the caller's; an admin has the highest
     */
    public record Collection(
            CollectionId id, UserId owner, String name, String description, Visibility visibility, Role role) {

        /** Whether it is of records, and nobody changes it by hand. */
        public boolean isNobodys() {
            return owner.equals(KnowledgeSource.NOBODY);
        }

        public boolean mayEdit() {
            return !isNobodys() && role.includes(Role.EDITOR);
        }

        public boolean mayManage() {
            return !isNobodys() && role.includes(Role.MANAGER);
        }

        /** Whether {@code caller} may delete it, which managers may not. */
        public boolean mayDelete(Caller caller) {
            return !isNobodys() && caller.mayChange(owner);
        }
    }

    /** A member of a collection. */
    public record Member(
            UserId user, String nickname, @Nullable String avatar, Role role) {}

    /** The fate of the sources of a deleted collection. */
    public enum Leftovers {
        DELETE,
        /** Each is its owner's alone. */
        KEEP
    }

    /** Creates a collection of the caller's. */
    public Collection create(Tx tx, Caller caller, String name, @Nullable String description, Visibility visibility) {
        store.lockOwner(tx, caller.user());
        if (store.countOf(tx, caller.user()) >= config.perUser() && !caller.admin()) {
            throw new KnowledgeProblem(Kind.CONFLICT, "too-many-collections", "max", config.perUser());
        }
        var made = new Collection(
                new CollectionId(ids.next()),
                caller.user(),
                name(name),
                description(description == null ? "" : description),
                visibility,
                Role.MANAGER);
        store.requireOwnName(tx, made);
        store.insert(tx, made, clock.instant());
        audit.record(
                tx,
                caller,
                AuditLog.Action.COLLECTION_CREATED,
                target(made),
                Changes.NONE.with("visibility", null, visibility.text()));
        return made;
    }

    /** The same in a transaction of its own. */
    public Collection create(Caller caller, String name, @Nullable String description, Visibility visibility) {
        return db.inTransaction(tx -> create(tx, caller, name, description, visibility));
    }

    /** The collections in which the caller has a role, the newest first. */
    public List<Collection> list(Caller caller, Optional<CollectionId> before, int limit) {
        long below = before.map(CollectionId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, KnowledgeReader.of(caller), below, limit));
    }

    public Collection get(Caller caller, CollectionId id) {
        return db.read(reads -> find(reads, caller, id));
    }

    private Collection find(Reads reads, Caller caller, CollectionId id) {
        return store.find(reads, caller, id).orElseThrow(KnowledgeCollections::none);
    }

    static KnowledgeProblem none() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-collection");
    }

    static void requireEditor(Collection collection) {
        if (!collection.mayEdit()) {
            throw refused();
        }
    }

    static Collection requireManager(Collection collection) {
        if (!collection.mayManage()) {
            throw refused();
        }
        return collection;
    }

    static KnowledgeProblem refused() {
        return new KnowledgeProblem(Kind.FORBIDDEN, "collection-role");
    }

    /** Changes what is given. A collection that becomes private loses its members. */
    public Collection change(
            Caller caller,
            CollectionId id,
            @Nullable String name,
            @Nullable String description,
            @Nullable Visibility visibility) {
        return db.inTransaction(tx -> {
            store.lock(tx, id);
            var before = requireManager(find(tx, caller, id));
            var now = new Collection(
                    id,
                    before.owner(),
                    name == null ? before.name() : name(name),
                    description == null ? before.description() : description(description),
                    visibility == null ? before.visibility() : visibility,
                    before.role());
            if (!now.name().equals(before.name())) {
                store.lockOwner(tx, now.owner());
                store.requireOwnName(tx, now);
            }
            store.update(tx, now);
            if (now.visibility() == Visibility.PRIVATE) {
                store.removeAll(tx, id);
                projects.removeAll(tx, id);
            }
            var changes = Changes.NONE
                    .with("name", before.name(), now.name())
                    .with(
                            "visibility",
                            before.visibility().text(),
                            now.visibility().text());
            audit.record(tx, caller, AuditLog.Action.COLLECTION_CHANGED, target(now), changes);
            // A manager who makes another's collection private is no member any more.
            return store.find(tx, caller, id).orElse(now);
        });
    }

    /** The members by the age of their accounts, for those who may add to the collection. */
    public List<Member> members(Caller caller, CollectionId id, long after, int limit) {
        return db.read(reads -> {
            requireEditor(find(reads, caller, id));
            return store.members(reads, id, after, limit);
        });
    }

    /** The projects with whose members collections are shared. */
    public SharedProjects projects() {
        return projects;
    }

    /** Whether the caller is a member by themselves, and may leave. */
    public boolean mayLeave(Caller caller, CollectionId id) {
        return db.read(reads -> store.role(reads, id, caller.user()).isPresent());
    }

    /** Adds a member, or gives them another role. A private collection becomes a shared one. */
    public void put(Caller caller, CollectionId id, UserId user, Role role) {
        db.useTransaction(tx -> {
            store.lock(tx, id);
            var collection = requireManager(find(tx, caller, id));
            if (collection.owner().equals(user)) {
                throw new KnowledgeProblem(Kind.CONFLICT, "owner-role");
            }
            var before = store.role(tx, id, user);
            if (before.isEmpty() && store.countMembers(tx, id) >= config.members()) {
                throw new KnowledgeProblem(Kind.CONFLICT, "too-many-members", "max", config.members());
            }
            if (!store.put(tx, id, user, role, clock.instant())) {
                throw new KnowledgeProblem(Kind.NOT_FOUND, "no-user");
            }
            store.makeShared(tx, collection);
            var changes = Changes.NONE.with("role", before.map(Role::text).orElse(null), role.text());
            audit.record(tx, caller, AuditLog.Action.COLLECTION_MEMBER_SET, membership(id, user), changes);
        });
    }

    /** Removes a member; everybody may leave. */
    public void remove(Caller caller, CollectionId id, UserId user) {
        db.useTransaction(tx -> {
            store.lock(tx, id);
            var collection = find(tx, caller, id);
            if (!caller.user().equals(user)) {
                requireManager(collection);
            }
            var before = store.role(tx, id, user).orElseThrow(() -> new KnowledgeProblem(Kind.NOT_FOUND, "no-member"));
            store.remove(tx, id, user);
            var changes = Changes.NONE.with("role", before.text(), null);
            audit.record(tx, caller, AuditLog.Action.COLLECTION_MEMBER_REMOVED, membership(id, user), changes);
        });
    }

    /**
     * Deletes a collection. Its sources are deleted or given back in small transactions first, so that a large one holds up nobody; what
     * dies in between is repeated.
     */
    public void delete(Caller caller, CollectionId id, Leftovers leftovers) {
        db.useTransaction(tx -> {
            requireMayDelete(caller, find(tx, caller, id));
            // What it watches would add sources all the while.
            store.deleteWatches(tx, id);
        });
        IntUnaryOperator batch = limit -> db.inTransaction(tx -> {
            requireMayDelete(caller, find(tx, caller, id));
            var some = store.lockSources(tx, id, limit);
            for (var source : some) {
                if (leftovers == Leftovers.DELETE) {
                    sources.delete(tx, source);
                } else {
                    writer.setCollection(tx, source, null);
                }
            }
            return some.size();
        });
        while (true) {
            RetentionSweep.run(BATCH_SIZE, batch);
            boolean isDone = db.inTransaction(tx -> {
                store.lock(tx, id);
                var collection = find(tx, caller, id);
                requireMayDelete(caller, collection);
                if (store.hasSources(tx, id)) {
                    // Somebody added one meanwhile.
                    return false;
                }
                store.delete(tx, id);
                var changes =
                        Changes.NONE.with("sources", null, leftovers.name().toLowerCase(Locale.ROOT));
                audit.record(tx, caller, AuditLog.Action.COLLECTION_DELETED, target(collection), changes);
                return true;
            });
            if (isDone) {
                return;
            }
        }
    }

    private static void requireMayDelete(Caller caller, Collection collection) {
        if (!collection.mayDelete(caller)) {
            throw refused();
        }
    }

    private static Target target(Collection collection) {
        return Target.of(TargetKind.COLLECTION, collection.id().hex(), collection.name(), collection.owner());
    }

    /** Without the collection's name, which goes when the account of its owner is deleted. */
    private static Target membership(CollectionId id, UserId user) {
        return Target.of(TargetKind.COLLECTION, id.hex(), null, user);
    }

    private static String name(String given) {
        var name = StorableText.line(given);
        if (name.isEmpty() || name.codePointCount(0, name.length()) > MAX_NAME_LENGTH) {
            throw KnowledgeProblem.invalid("name", Text.of("knowledge.field.collection-name", "max", MAX_NAME_LENGTH));
        }
        return name;
    }

    private static String description(String given) {
        var description = StorableText.of(given).strip();
        if (description.codePointCount(0, description.length()) > MAX_DESCRIPTION_LENGTH) {
            throw KnowledgeProblem.invalid(
                    "description", Text.of("knowledge.field.collection-description", "max", MAX_DESCRIPTION_LENGTH));
        }
        return description;
    }
}
