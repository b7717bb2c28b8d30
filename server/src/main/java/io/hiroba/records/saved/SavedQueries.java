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
import io.hiroba.records.query.Condition;
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

    /**
     * A question that can be asked.
     *
     * @param schema the id of the schema that it asks about
     */
    public record Checked(
            Access access,
            Draft draft,
            short schema,
            @Nullable Condition condition) {

        private SavedQuery saved(SavedQueryId id) {
            return new SavedQuery(
                    id,
                    access.project().id(),
                    access.user(),
                    schema,
                    draft.name().strip(),
                    draft.question(),
                    draft.notifies(),
                    draft.shared());
        }
    }

    /** Asks the question once, before the transaction that keeps it: it runs on a connection of its own. */
    public Checked check(Caller caller, ProjectId project, Draft draft) {
        return checked(projects.access(caller, project), draft);
    }

    public SavedQuery create(Tx tx, Checked question) {
        var project = question.access().project().id();
        var user = question.access().user();
        if (projects.find(tx, project, user).isEmpty()) {
            // An admin looks into every project, but what is kept is a member's.
            throw RecordsProblem.noMember();
        }
        if (store.count(tx, project, user) >= MOST) {
            throw SavedProblem.tooMany(MOST);
        }
        var saved = question.saved(new SavedQueryId(ids.next()));
        store.insert(tx, saved);
        beginTelling(tx, question, saved);
        return saved;
    }

    public SavedQuery replace(Caller caller, ProjectId project, SavedQueryId id, Draft draft) {
        mine(caller, get(caller, project, id));
        var question = check(caller, project, draft);
        return db.inTransaction(tx -> {
            var before = store.lock(tx, project, id).orElseThrow(SavedProblem::none);
            var saved = question.saved(id);
            store.update(tx, saved);
            if (!saved.tellsAs(before)) {
                // What began to match and is not told of yet would be forgotten with another name otherwise.
                matches.forgetAll(tx, id);
                beginTelling(tx, question, saved);
            }
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

    private Checked checked(Access access, Draft draft) {
        var name = draft.name().strip();
        if (name.isEmpty() || name.codePointCount(0, name.length()) > LONGEST_NAME) {
            throw RecordsProblem.invalid("name", "must have 1 to 100 characters");
        }
        var theirs = traits.of(access.user());
        var query = draft.question().query(theirs).limit(1);
        var found = queries.page(access.caller(), access.project().id(), query);
        return new Checked(access, draft, found.schema().id(), draft.question().condition(theirs));
    }

    /** What matches already has not begun to. */
    private void beginTelling(Tx tx, Checked question, SavedQuery saved) {
        if (!saved.notifies()) {
            return;
        }
        var access = question.access();
        var schema = catalog.current(tx, access.tables(), saved.question().schema());
        var there = matching.all(tx, access, schema, question.condition(), MOST_MATCHES + 1);
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
