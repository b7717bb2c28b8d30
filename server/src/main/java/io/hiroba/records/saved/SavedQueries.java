package io.hiroba.records.saved;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.records.Access;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.query.Found;
import io.hiroba.records.query.Matching;
import io.hiroba.records.query.Queries;
import io.hiroba.records.schema.Catalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions that members keep. What is shared, all members see and run; only its owner changes it. */
public final class SavedQueries {

    private static final int LONGEST_NAME = 100;
    private static final int MOST = 200;

    /** What matches when a question begins to be told of is remembered, and must be looked through. */
    private static final int MOST_MATCHES = 100_000;

    private final Db db;
    private final IdGenerator ids;
    private final Projects projects;
    private final Catalog catalog;
    private final Queries queries;
    private final Matching matching;
    private final Traits traits;
    private final SavedQueryStore store = new SavedQueryStore();
    private final MatchStore matches = new MatchStore();

    public SavedQueries(
            Db db,
            IdGenerator ids,
            Projects projects,
            Catalog catalog,
            Queries queries,
            Matching matching,
            Users users) {
        this.db = db;
        this.ids = ids;
        this.projects = projects;
        this.catalog = catalog;
        this.queries = queries;
        this.matching = matching;
        this.traits = new Traits(users);
    }

    /** A question as somebody asks for it to be kept. */
    public record Draft(String name, Question question, boolean notifies, boolean shared) {}

    public SavedQuery create(Tx tx, Caller caller, ProjectId project, Draft draft) {
        var access = projects.access(caller, project);
        short schema = checked(access, draft);
        if (projects.find(tx, project, caller.user()).isEmpty()) {
            // An admin looks into every project, but what is kept is a member's.
            throw RecordsProblem.noMember();
        }
        if (store.count(tx, project, caller.user()) >= MOST) {
            throw SavedProblem.tooMany(MOST);
        }
        var saved = new SavedQuery(
                new SavedQueryId(ids.next()),
                project,
                caller.user(),
                schema,
                draft.name().strip(),
                draft.question(),
                draft.notifies(),
                draft.shared());
        store.insert(tx, saved);
        beginTelling(tx, access, saved);
        return saved;
    }

    public SavedQuery replace(Caller caller, ProjectId project, SavedQueryId id, Draft draft) {
        var access = projects.access(caller, project);
        mine(caller, get(caller, project, id));
        short schema = checked(access, draft);
        return db.inTransaction(tx -> {
            if (store.lock(tx, project, id).isEmpty()) {
                throw SavedProblem.none();
            }
            var saved = new SavedQuery(
                    id,
                    project,
                    caller.user(),
                    schema,
                    draft.name().strip(),
                    draft.question(),
                    draft.notifies(),
                    draft.shared());
            store.update(tx, saved);
            matches.forgetAll(tx, id);
            beginTelling(tx, access, saved);
            return saved;
        });
    }

    public void delete(Caller caller, ProjectId project, SavedQueryId id) {
        mine(caller, get(caller, project, id));
        db.useTransaction(tx -> store.delete(tx, id));
    }

    public SavedQuery get(Caller caller, ProjectId project, SavedQueryId id) {
        projects.access(caller, project);
        return db.read(reads -> store.find(reads, project, id))
                .filter(saved -> saved.shared() || saved.owner().equals(caller.user()))
                .orElseThrow(SavedProblem::none);
    }

    /** The caller's own and those that are shared, the newest first. */
    public List<SavedQuery> list(Caller caller, ProjectId project, long before, int limit) {
        projects.access(caller, project);
        return db.read(reads -> store.seen(reads, project, caller.user(), before, limit));
    }

    /** What the question finds for the caller, who sees no more by it than they would without. */
    public Found results(Caller caller, ProjectId project, SavedQueryId id, int limit, @Nullable String after) {
        var saved = get(caller, project, id);
        var query =
                saved.question().query(traits.of(caller.user())).limit(limit).after(after);
        return queries.page(caller, project, query);
    }

    /** The id of the schema that {@code draft} asks about, once it is known that it can be asked. */
    private short checked(Access access, Draft draft) {
        var name = draft.name().strip();
        if (name.isEmpty() || name.codePointCount(0, name.length()) > LONGEST_NAME) {
            throw RecordsProblem.invalid("name", "must have 1 to 100 characters");
        }
        var query = draft.question().query(traits.of(access.user())).limit(1);
        return queries.page(access.caller(), access.project().id(), query)
                .schema()
                .id();
    }

    /** What matches already has not begun to. */
    private void beginTelling(Tx tx, Access access, SavedQuery saved) {
        if (!saved.notifies()) {
            return;
        }
        var schema = catalog.current(tx, access.tables(), saved.question().schema());
        var condition = saved.question().condition(traits.of(access.user()));
        var there = matching.all(tx, access, schema, condition, MOST_MATCHES + 1);
        if (there.size() > MOST_MATCHES) {
            throw SavedProblem.tooBroad(MOST_MATCHES);
        }
        if (!there.isEmpty()) {
            matches.remember(tx, saved.id(), there);
        }
    }

    private static void mine(Caller caller, SavedQuery saved) {
        if (!saved.owner().equals(caller.user())) {
            throw SavedProblem.notYours();
        }
    }
}
