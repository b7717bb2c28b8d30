package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.tuning.PlannerHints;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs queries on records: pages, counts, aggregations and explanations. */
public final class Queries {

    private static final int MAX_ATTEMPTS = 3;

    /** How many count or sum up at once on a node; a quarter of its connections. */
    private static final int MAX_HEAVY = 4;

    private final Db db;
    private final Db queryDb;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final ReadableSchemas views;
    private final PlannerHints hints;
    private final Cursors cursors;
    private final QueryStore store = new QueryStore();
    private final Semaphore looking = new Semaphore(MAX_HEAVY);

    /** @param queryDb connections whose planner does as it is told, see {@link #PLANNER} */
    public Queries(
            Db db,
            Db queryDb,
            Projects projects,
            SchemaCatalog catalog,
            AccessResolver accessResolver,
            PlannerHints hints,
            Cursors cursors) {
        this.db = db;
        this.queryDb = queryDb;
        this.projects = projects;
        this.catalog = catalog;
        this.views = new ReadableSchemas(db, accessResolver);
        this.hints = hints;
        this.cursors = cursors;
    }

    /**
     * Settings for connections that compiled queries run on. The compiler has chosen the source and the order in which
     * records are looked up, with statistics that PostgreSQL does not have; these keep PostgreSQL from choosing otherwise,
     * and from planning the same statement again.
     */
    public static final List<String> PLANNER = List.of(
            "enable_memoize=off",
            "enable_bitmapscan=off",
            "enable_seqscan=off",
            "enable_hashjoin=off",
            "enable_mergejoin=off",
            "plan_cache_mode=force_generic_plan",
            "jit=off",
            "default_transaction_read_only=on");

    /** A page of the records that the caller sees. */
    public QueryResult page(Caller caller, ProjectId project, RecordQuery query) {
        return withCachedAccess(caller, project, access -> page(access, query));
    }

    /** The SQL of a page and PostgreSQL's plan of it, carried out; for owners. */
    public QueryExplanation explain(Caller caller, ProjectId project, RecordQuery query) {
        projects.access(caller, project).requireOwner();
        return withCachedAccess(caller, project, access -> {
            var plan = plan(access, query);
            var statement = statement(plan, plan.parts().findFirst().orElseThrow(), query.limit() + 1);
            return queryDb.read(reads -> store.explain(reads, statement));
        });
    }

    /** How the records that pass fall into groups. */
    public Aggregates.Result aggregate(Caller caller, ProjectId project, Aggregates.Query query) {
        return withCachedAccess(caller, project, access -> {
            var plan = plan(access, RecordQuery.all(query.schema()).where(query.where()));
            var aggregates = new Aggregates(plan, query);
            note(plan);
            return heavy(() -> db.read(reads -> aggregates.run(reads, store)));
        });
    }

    /**
     * Answers with what this node knows of the caller and the schemas, and again with what is so if that turns out to be
     * old.
     */
    private <T> T withCachedAccess(Caller caller, ProjectId project, Function<ProjectAccess, T> work) {
        for (int attempt = 1; ; attempt++) {
            var access = projects.cachedAccess(caller, project);
            try {
                return work.apply(access);
            } catch (AccessSnapshot.Stale e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw RecordsProblem.contended();
                }
                catalog.invalidate(access.tables());
                projects.invalidate(caller, project);
            } catch (RecordsProblem e) {
                // A name that is not there may be newer than what this node knows; nothing else heals by that.
                if (attempt > 1 || e.kind() == Kind.UNAVAILABLE) {
                    throw e;
                }
                catalog.invalidate(access.tables());
                projects.invalidate(caller, project);
            } catch (DbException e) {
                if (SqlState.is(e, SqlState.UNDEFINED_TABLE)) {
                    projects.invalidate(caller, project);
                    throw RecordsProblem.noProject();
                }
                throw e;
            }
        }
    }

    private QueryResult page(ProjectAccess access, RecordQuery query) {
        var plan = plan(access, query);
        var rows = new ArrayList<ResultRow>();
        for (var parts = plan.parts().iterator(); rows.size() <= query.limit() && parts.hasNext(); ) {
            add(rows, run(plan, parts.next(), query.limit() + 1 - rows.size()));
        }
        note(plan);
        boolean more = rows.size() > query.limit();
        var shown = more ? rows.subList(0, query.limit()) : rows;
        var next = more
                ? cursors.write(
                        plan.list(),
                        KeysetPosition.of(plan.order(), shown.getLast()).cursor())
                : null;
        return new QueryResult(
                plan.view().schema(), plan.shown(), plan.joined(), shown, next, count(plan, query, shown.size(), more));
    }

    /** A record that lost the value it is ordered by between two parts of a page is in both. */
    private static void add(List<ResultRow> rows, List<ResultRow> more) {
        if (rows.isEmpty()) {
            rows.addAll(more);
            return;
        }
        var there = rows.stream().map(ResultRow::id).collect(Collectors.toSet());
        more.stream().filter(row -> !there.contains(row.id())).forEach(rows::add);
    }

    /** Lets few look through many records at once, so that they do not take all connections. */
    private <T> T heavy(Supplier<T> work) {
        if (!looking.tryAcquire()) {
            throw RecordsProblem.busy();
        }
        try {
            return work.get();
        } finally {
            looking.release();
        }
    }

    private QueryPlan plan(ProjectAccess access, RecordQuery query) {
        return new QueryPlan(access, query, catalog, views, hints, cursors);
    }

    private List<ResultRow> run(QueryPlan plan, QueryPlan.Part part, int limit) {
        var statement = statement(plan, part, limit);
        var outcome =
                queryDb.read(reads -> store.run(reads, statement, plan.joined().size()));
        var observed = outcome.observed();
        plan.snapshot().require(observed == null ? observe(plan.snapshot()) : observed);
        return outcome.rows();
    }

    /** Who finds nothing may not be one who may look. */
    private AccessSnapshot.Observed observe(AccessSnapshot snapshot) {
        var sql = new SqlBindings();
        var text = "SELECT %s, %s".formatted(snapshot.role(sql), snapshot.versions());
        return db.read(reads -> store.snapshot(reads, new QueryStore.Statement(text, sql)));
    }

    private static QueryStore.Statement statement(QueryPlan plan, QueryPlan.Part part, int limit) {
        var sql = new SqlBindings();
        var page = new QueryCompiler(plan.tables(), plan.view(), sql)
                .page(part.scan(), part.predicate(), part.order(), part.after(), limit);
        return new QueryStore.Statement(
                "SELECT " + plan.snapshot().role(sql) + ", " + plan.snapshot().versions()
                        + ",\n       w.row_id, w.version, w.created_by, w.updated_by, w.updated_at, w.doc"
                        + plan.joins(sql, "w")
                        + "\nFROM (\n" + page + ") AS w",
                sql);
    }

    private QueryResult.@Nullable Counted count(QueryPlan plan, RecordQuery query, int shown, boolean more) {
        if (query.count() == RecordQuery.Count.NONE) {
            return null;
        }
        if (plan.after() == null && !more) {
            return new QueryResult.Counted(shown, true);
        }
        if (query.count() == RecordQuery.Count.ESTIMATE) {
            // The statistics are of all records; of those that rules hide nothing is told.
            long passing = plan.view().showsAllRows() ? (long) plan.planner().passing(plan.predicate()) : 0;
            return new QueryResult.Counted(Math.max(shown + (more ? 1 : 0), passing), false);
        }
        var sql = new SqlBindings();
        var from = new QueryCompiler(plan.tables(), plan.view(), sql)
                .all(plan.planner().forAll(plan.predicate()), plan.predicate());
        var text = "SELECT %s, %s, (SELECT count(*) FROM %s)"
                .formatted(plan.snapshot().role(sql), plan.snapshot().versions(), from);
        var counted = heavy(() -> db.read(reads -> store.groups(reads, new QueryStore.Statement(text, sql))));
        plan.snapshot().require(counted.observed());
        return new QueryResult.Counted(Long.parseLong(counted.groups().getFirst()), true);
    }

    private void note(QueryPlan plan) {
        // An index serves one key.
        var first = plan.order().keys().size() == 1 ? plan.order().first() : null;
        if (first != null) {
            hints.usage().sorted(plan.tables(), plan.view().schema(), first.attribute());
        }
        for (var conjunct : plan.predicate().conjuncts()) {
            if (conjunct instanceof Predicate.Leaf leaf) {
                var attribute = leaf.attribute();
                if (leaf.operator() == Operator.STARTS_WITH) {
                    hints.usage().prefixed(plan.tables(), plan.view().schema(), attribute);
                } else {
                    hints.usage().filtered(plan.tables(), plan.view().schema(), attribute);
                }
                if (leaf.operator() == Operator.EQ && first != null) {
                    hints.usage().together(plan.tables(), plan.view().schema(), attribute, first.attribute());
                }
            }
        }
    }
}
