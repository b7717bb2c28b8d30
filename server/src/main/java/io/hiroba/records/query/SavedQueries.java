package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SavedQueryNames;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Queries that members save. A shared one is visible to all members; only its owner changes it. */
public final class SavedQueries {

    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_QUERIES = 200;

    /** The maximum number of matches when notifications begin: they are stored, so that only new ones notify. */
    private static final int MAX_MATCHES = 100_000;

    private final Db db;
    private final IdGenerator ids;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Queries queries;
    private final ConditionMatcher matching;
    private final CallerTraits traits;
    private final SavedQueryStore store = new SavedQueryStore();

    SavedQueries(
            Db db,
            IdGenerator ids,
            Projects projects,
            SchemaCatalog catalog,
            Queries queries,
            ConditionMatcher matching,
            CallerTraits traits) {
        this.db = db;
        this.ids = ids;
        this.projects = projects;
        this.catalog = catalog;
        this.queries = queries;
        this.matching = matching;
        this.traits = traits;
    }

    /** A saved query as requested. */
    public record Draft(String name, QueryDefinition definition, boolean notifies, boolean shared) {}

    /**
     * A validated query.
     *
     * @param schema the id of the schema
     */
    public record Checked(
            ProjectAccess access,
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
                    draft.definition(),
                    draft.notifies(),
                    draft.shared());
        }
    }

    /** Runs the query once to validate it, before the transaction that stores it: it uses another connection. */
    public Checked check(Caller caller, ProjectId project, Draft draft) {
        return checked(projects.access(caller, project), draft);
    }

    public SavedQuery create(Tx tx, Checked checkedQuery) {
        var project = checkedQuery.access().project().id();
        var user = checkedQuery.access().user();
        if (projects.find(tx, project, user).isEmpty()) {
            // An admin may read every project, but saved queries are for members.
            throw RecordsProblem.noMember();
        }
        store.lockCreation(tx, project, user);
        if (store.count(tx, project, user) >= MAX_QUERIES) {
            throw SavedQueryProblem.tooMany(MAX_QUERIES);
        }
        var saved = named(tx, checkedQuery).saved(new SavedQueryId(ids.next()));
        store.insert(tx, saved);
        startNotifying(tx, checkedQuery, saved);
        return saved;
    }

    public SavedQuery replace(Caller caller, ProjectId project, SavedQueryId id, Draft draft) {
        mine(caller, get(caller, project, id));
        var checkedQuery = check(caller, project, draft);
        return db.inTransaction(tx -> {
            // The schema first, as whoever renames it takes them.
            var saved = named(tx, checkedQuery).saved(id);
            var before = store.lock(tx, project, id).orElseThrow(SavedQueryProblem::none);
            mine(caller, before);
            store.update(tx, saved);
            if (!saved.notifiesLike(before)) {
                // Matches that were not reported yet would be lost with a new baseline.
                store.removeAllMatches(tx, id);
                startNotifying(tx, checkedQuery, saved);
            }
            return saved;
        });
    }

    /** Creates a query in a transaction of its own. */
    public SavedQuery create(Caller caller, ProjectId project, Draft draft) {
        var checkedQuery = check(caller, project, draft);
        return db.inTransaction(tx -> create(tx, checkedQuery));
    }

    public void delete(Caller caller, ProjectId project, SavedQueryId id) {
        mine(caller, get(caller, project, id));
        db.useTransaction(tx -> store.delete(tx, id));
    }

    /**
     * A saved query as a reader sees it.
     *
     * @param gone whether it names what they cannot see, in which case only its schema is told
     */
    public record Shown(SavedQuery query, boolean gone) {}

    /** The query as the caller sees it. */
    public Shown shown(Caller caller, ProjectId project, SavedQueryId id) {
        var access = projects.access(caller, project);
        return new SavedQueryAccess(access, catalog).shown(get(caller, project, id));
    }

    public SavedQuery get(Caller caller, ProjectId project, SavedQueryId id) {
        projects.access(caller, project);
        return db.read(reads -> store.find(reads, project, id))
                .filter(saved -> saved.shared() || saved.owner().equals(caller.user()))
                .orElseThrow(SavedQueryProblem::none);
    }

    /** The id of the deleted schema of a query that the caller could run before. */
    public Optional<Short> removedSchema(ProjectAccess access, SavedQueryId id) {
        return db.read(reads -> store.findOfRemoved(reads, access.project().id(), id))
                .filter(saved -> saved.shared() || saved.owner().equals(access.user()))
                .map(SavedQuery::schema);
    }

    /** The caller's own and shared queries, the newest first. */
    public List<Shown> list(Caller caller, ProjectId project, long before, int limit) {
        var access = new SavedQueryAccess(projects.access(caller, project), catalog);
        return db.read(reads -> store.seen(reads, project, caller.user(), before, limit)).stream()
                .map(access::shown)
                .toList();
    }

    /** Runs the query with the caller's access. One of others that names what the caller cannot see is refused without its names. */
    public QueryResult results(Caller caller, ProjectId project, SavedQueryId id, int limit, @Nullable String after) {
        var shown = shown(caller, project, id);
        if (shown.gone()) {
            throw RecordsProblem.invalid("query", Text.of("records.query.gone"));
        }
        var saved = shown.query();
        var query =
                saved.definition().query(traits.of(caller.user())).limit(limit).after(after);
        return queries.page(caller, project, query);
    }

    private Checked checked(ProjectAccess access, Draft draft) {
        var name = draft.name().strip();
        if (name.isEmpty() || name.codePointCount(0, name.length()) > MAX_NAME_LENGTH) {
            throw RecordsProblem.invalid("name", Text.of("records.field.name-length"));
        }
        var theirs = traits.of(access.user());
        var query = draft.definition().query(theirs).limit(1);
        var found = queries.page(access.caller(), access.project().id(), query);
        return new Checked(
                access, draft, found.schema().id(), draft.definition().condition(theirs));
    }

    /**
     * With the names of now, which cannot change until {@code tx} ends: a query that is stored with a former one would be missed
     * by whoever renames.
     */
    private Checked named(Tx tx, Checked checked) {
        var tables = checked.access().tables();
        var schema = catalog.current(tx, tables, checked.schema());
        var given = (ObjectNode) Json.exact().valueToTree(checked.draft().definition());
        var renamed = SavedQueryNames.renamed(given, path -> {
            int point = path.indexOf('.');
            var attribute = schema.attribute(point < 0 ? path : path.substring(0, point));
            var target = attribute.map(SchemaAttribute::references).orElse(null);
            if (attribute.isEmpty()) {
                return path;
            }
            var name = attribute.get().name();
            if (point < 0) {
                return name;
            }
            return target == null
                    ? path
                    : name + "."
                            + catalog.current(tx, tables, target)
                                    .attribute(path.substring(point + 1))
                                    .map(SchemaAttribute::name)
                                    .orElse(path.substring(point + 1));
        });
        renamed.put("schema", schema.name());
        var draft = checked.draft();
        return new Checked(
                checked.access(),
                new Draft(
                        draft.name(),
                        Json.exact().treeToValue(renamed, QueryDefinition.class),
                        draft.notifies(),
                        draft.shared()),
                checked.schema(),
                checked.condition());
    }

    /** Stores the current matches as the baseline: they have not begun to match. */
    private void startNotifying(Tx tx, Checked checkedQuery, SavedQuery saved) {
        if (!saved.notifies()) {
            return;
        }
        var access = checkedQuery.access();
        var schema = catalog.current(tx, access.tables(), saved.definition().schema());
        var existing = matching.all(tx, access, schema, checkedQuery.condition(), MAX_MATCHES + 1);
        if (existing.size() > MAX_MATCHES) {
            throw SavedQueryProblem.tooBroad(MAX_MATCHES);
        }
        if (!existing.isEmpty()) {
            store.addMatches(tx, saved.id(), existing);
        }
    }

    private static void mine(Caller caller, SavedQuery saved) {
        if (!saved.owner().equals(caller.user())) {
            throw SavedQueryProblem.notYours();
        }
    }
}
