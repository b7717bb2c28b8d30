package io.hiroba.records;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.records.ProjectAccess.SeenAs;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Projects and their members. */
public final class Projects {

    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_KNOWN = 10_000;
    private static final int MAX_OWNED = 100;
    private static final String AS_ROLE = "role:";

    private final Db db;
    private final IdGenerator ids;
    private final ProjectEvents events;
    private final AuditLog audit;
    private final ProjectStore store = new ProjectStore();
    private final Map<Pair, ProjectAccess> accesses = new ConcurrentHashMap<>();

    /** What was written to the audit log lately on this node. */
    private final ConcurrentMap<Seeing, Boolean> seenAs = Caffeine.newBuilder()
            .maximumSize(MAX_KNOWN)
            .expireAfterWrite(Duration.ofMinutes(10))
            .<Seeing, Boolean>build()
            .asMap();

    private record Seeing(ProjectId project, UserId owner, String given) {}

    private record Pair(ProjectId project, UserId user, boolean admin) {}

    public Projects(Db db, IdGenerator ids, EventLog log) {
        this.db = db;
        this.ids = ids;
        events = new ProjectEvents(log);
        audit = new AuditLog(db);
    }

    public Project create(Caller caller, String name) {
        return db.inTransaction(tx -> create(tx, caller, name));
    }

    /** Creates a project of the caller in the caller's transaction. */
    public Project create(Tx tx, Caller caller, String name) {
        if (!caller.admin()) {
            store.lockCreation(tx, caller.user());
            if (store.countOwn(tx, caller.user()) >= MAX_OWNED) {
                throw RecordsProblem.tooManyProjects(MAX_OWNED);
            }
        }
        var project = new Project(new ProjectId(ids.next()), caller.user(), checked(name), false);
        store.insert(tx, project);
        store.put(tx, project.id(), caller.user(), ProjectRole.OWNER);
        return project;
    }

    /** The caller's access to the project. */
    public ProjectAccess access(Caller caller, ProjectId id) {
        return db.read(reads -> access(reads, caller, id));
    }

    /** The same in the caller's transaction. */
    public ProjectAccess access(Reads reads, Caller caller, ProjectId id) {
        if (caller.admin()) {
            return new ProjectAccess(
                    caller, store.find(reads, id).orElseThrow(RecordsProblem::noProject), ProjectRole.OWNER);
        }
        var membership = store.membership(reads, id, caller.user()).orElseThrow(RecordsProblem::noProject);
        return new ProjectAccess(caller, membership.project(), membership.role());
    }

    /** The project without an access check, for background work. */
    public Optional<Project> find(Reads reads, ProjectId id) {
        return store.find(reads, id);
    }

    /** Which of {@code users} are members of which of {@code projects}. */
    Map<ProjectId, Set<UserId>> membersAmong(Reads reads, Collection<ProjectId> projects, Collection<UserId> users) {
        return store.membersAmong(reads, projects, users);
    }

    /** The access of {@code user}, for work in their name; empty if they are not a member. */
    public Optional<ProjectAccess> find(Reads reads, ProjectId id, UserId user) {
        return store.membership(reads, id, user)
                .map(membership -> new ProjectAccess(
                        new Caller(user, false, new Caller.ByServer(), null), membership.project(), membership.role()));
    }

    /**
     * The access of an owner who sees records as another would, to try out rules. It is in the audit log, once in a while for each pair.
     *
     * @param given {@code role:viewer}, {@code role:editor}, or the id of a member
     */
    public ProjectAccess seeAs(ProjectAccess access, String given) {
        access.requireOwner();
        var seen = db.read(reads -> seeAs(reads, access, given));
        if (seenAs.putIfAbsent(new Seeing(access.project().id(), access.caller().user(), given), true) == null) {
            var member = seen.user().equals(access.caller().user())
                    ? access.project().client()
                    : seen.user();
            db.useTransaction(tx -> audit.record(
                    tx,
                    access.caller(),
                    AuditLog.Action.RECORDS_SEEN_AS,
                    membership(access.project().id(), member),
                    Changes.NONE.with("role", null, seen.role())));
        }
        return seen;
    }

    private ProjectAccess seeAs(Reads reads, ProjectAccess access, String given) {
        if (given.startsWith(AS_ROLE)) {
            var role = Stream.of(ProjectRole.values())
                    .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(given.substring(AS_ROLE.length())))
                    .filter(each -> each != ProjectRole.OWNER)
                    .findFirst()
                    .orElseThrow(Projects::unknownReader);
            return new ProjectAccess(access.caller(), access.project(), role, new SeenAs(given, null));
        }
        if (!Ids.isId(given)) {
            throw unknownReader();
        }
        var member = UserId.parse(given);
        return store.membership(reads, access.project().id(), member)
                .map(found -> new ProjectAccess(
                        access.caller(), access.project(), found.role(), new SeenAs(member.hex(), member)))
                .orElseThrow(Projects::unknownReader);
    }

    private static RecordsProblem unknownReader() {
        return RecordsProblem.invalid("seeAs", Text.of("records.field.see-as"));
    }

    /** The cached access, possibly outdated: the caller checks it again in its statement. */
    public ProjectAccess cachedAccess(Caller caller, ProjectId id) {
        var pair = new Pair(id, caller.user(), caller.admin());
        var known = accesses.get(pair);
        if (known == null) {
            if (accesses.size() >= MAX_KNOWN) {
                accesses.clear();
            }
            known = access(caller, id);
            accesses.put(pair, known);
        }
        return new ProjectAccess(caller, known.project(), known.role());
    }

    /** Invalidates the cached access. */
    public void invalidate(Caller caller, ProjectId id) {
        accesses.remove(new Pair(id, caller.user(), caller.admin()));
    }

    /** The caller's projects, the newest first. */
    public List<Membership> list(Caller caller, long before, int limit) {
        return db.read(reads -> store.of(reads, caller.user(), before, limit));
    }

    /** Changes the given settings. */
    public Project change(Caller caller, ProjectId id, @Nullable String name, @Nullable Boolean autoIndex) {
        access(caller, id).requireOwner();
        return db.inTransaction(tx -> {
            var project = store.lock(tx, id).orElseThrow(RecordsProblem::noProject);
            var changed = new Project(
                    id,
                    project.client(),
                    name == null ? project.name() : checked(name),
                    autoIndex == null ? project.autoIndex() : autoIndex);
            store.update(tx, changed);
            var changes = Changes.NONE
                    .with("name", project.name(), changed.name())
                    .with("autoIndex", project.autoIndex(), changed.autoIndex());
            audit.record(tx, caller, AuditLog.Action.PROJECT_CHANGED, target(changed), changes);
            return changed;
        });
    }

    /** Deletes the project with all of its data. */
    public void delete(Caller caller, ProjectId id) {
        access(caller, id).requireOwner();
        try {
            db.useTransaction(tx -> {
                var project = store.lock(tx, id).orElseThrow(RecordsProblem::noProject);
                delete(tx, project);
                audit.record(tx, caller, AuditLog.Action.PROJECT_DELETED, target(project));
            });
        } catch (RuntimeException e) {
            if (SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE)) {
                throw RecordsProblem.projectBusy();
            }
            throw e;
        }
    }

    private void delete(Tx tx, Project project) {
        store.delete(tx, project);
        events.deleted(tx, project.id());
    }

    /** The members by id. */
    public List<Member> members(Caller caller, ProjectId id, long after, int limit) {
        access(caller, id);
        return db.read(reads -> store.members(reads, id, after, limit));
    }

    /** The first members whose nicknames begin with {@code prefix}, whatever case, in the order of the nicknames. */
    public List<Member> members(ProjectAccess access, String prefix, int limit) {
        return db.read(reads -> store.members(reads, access.project().id(), prefix, limit));
    }

    /** The members by their nicknames, whatever case; an {@code @} before one is left out. */
    public Map<String, List<UserId>> called(ProjectAccess access, Collection<String> nicknames) {
        return db.read(reads -> called(reads, access, nicknames));
    }

    public Map<String, List<UserId>> called(Reads reads, ProjectAccess access, Collection<String> nicknames) {
        return store.called(reads, access.project().id(), nicknames);
    }

    /** Adds {@code user} as a member, or changes their role. */
    public void put(Caller caller, ProjectId id, UserId user, ProjectRole role) {
        access(caller, id).requireOwner();
        db.useTransaction(tx -> {
            lock(tx, id);
            var changes = Changes.NONE.with("role", role(tx, id, user), role);
            if (!store.put(tx, id, user, role)) {
                throw RecordsProblem.noUser();
            }
            requireOwned(tx, id);
            audit.record(tx, caller, AuditLog.Action.PROJECT_MEMBER_SET, membership(id, user), changes);
            events.joined(tx, id, user);
        });
    }

    /** Removes a member; everybody may leave. */
    public void remove(Caller caller, ProjectId id, UserId user) {
        var access = access(caller, id);
        if (!caller.user().equals(user)) {
            access.requireOwner();
        }
        db.useTransaction(tx -> {
            lock(tx, id);
            var changes = Changes.NONE.with("role", role(tx, id, user), null);
            if (!store.remove(tx, id, user)) {
                throw RecordsProblem.noMember();
            }
            requireOwned(tx, id);
            audit.record(tx, caller, AuditLog.Action.PROJECT_MEMBER_REMOVED, membership(id, user), changes);
            events.left(tx, id, user);
        });
    }

    /** What becomes of the projects that nobody but {@code user} owns if they delete their account. */
    public List<Succession> successions(UserId user) {
        return db.read(reads -> store.successions(reads, user));
    }

    /**
     * Removes an account that is being deleted from all projects. One that is left without an owner is handed over to another person who is
     * a member; without such a person it is deleted.
     *
     * @param caller who deletes the account
     */
    public void removeEverywhere(Caller caller, UserId user) {
        for (var some = some(user); !some.isEmpty(); some = some(user)) {
            // One project per transaction: dropping its tables locks each of them.
            for (var membership : some) {
                db.useTransaction(tx -> store.lock(tx, membership.project().id())
                        .ifPresent(project -> {
                            var successor = store.successor(tx, project.id(), user);
                            if (store.remove(tx, project.id(), user) && !store.hasOwner(tx, project.id())) {
                                successor.ifPresentOrElse(
                                        next -> handOver(tx, caller, project, next), () -> delete(tx, project));
                            }
                        }));
            }
        }
    }

    private void handOver(Tx tx, Caller caller, Project project, UserId next) {
        var id = project.id();
        var changes = Changes.NONE.with("role", role(tx, id, next), ProjectRole.OWNER);
        store.put(tx, id, next, ProjectRole.OWNER);
        audit.record(tx, caller, AuditLog.Action.PROJECT_MEMBER_SET, membership(id, next), changes);
        events.joined(tx, id, next);
        events.handedOver(tx, project, next);
    }

    private @Nullable ProjectRole role(Tx tx, ProjectId id, UserId user) {
        return store.membership(tx, id, user).map(Membership::role).orElse(null);
    }

    private static Target target(Project project) {
        return Target.of(TargetKind.PROJECT, project.id().hex(), project.name(), project.client());
    }

    /** Without the project's name, which goes when the account of its owner is deleted. */
    private static Target membership(ProjectId id, UserId user) {
        return Target.of(TargetKind.PROJECT, id.hex(), null, user);
    }

    private List<Membership> some(UserId user) {
        return db.read(reads -> store.of(reads, user, Long.MAX_VALUE, 100));
    }

    private void lock(Tx tx, ProjectId id) {
        if (store.lock(tx, id).isEmpty()) {
            throw RecordsProblem.noProject();
        }
    }

    private void requireOwned(Tx tx, ProjectId id) {
        if (!store.hasOwner(tx, id)) {
            throw RecordsProblem.lastOwner();
        }
    }

    private static String checked(String name) {
        var trimmed = name.strip();
        if (trimmed.isEmpty() || trimmed.codePointCount(0, trimmed.length()) > MAX_NAME_LENGTH) {
            throw RecordsProblem.invalid("name", Text.of("records.field.name-length"));
        }
        return trimmed;
    }

    /** A member of a project with their role. */
    public record Member(
            UserId user, String nickname, @Nullable String avatar, ProjectRole role) {}

    /**
     * The fate of a project when the account of its only owner is deleted.
     *
     * @param successor the nickname of the member who becomes the owner; null if the project is deleted
     */
    public record Succession(String project, @Nullable String successor) {}

    /** A project with the role that a user has in it. */
    public record Membership(Project project, ProjectRole role) {}
}
