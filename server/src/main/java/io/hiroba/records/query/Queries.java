package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.AccessRules;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.query.AnswerCache.Answer;
import io.hiroba.records.tuning.PlannerHints;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs queries on records: pages, counts, aggregations and explanations. */
public final class Queries {

    private static final int MAX_ATTEMPTS = 3;

    /** The concurrent counts and aggregations on a node: a quarter of its connections. Others wait. */
    private static final int MAX_HEAVY = 4;

    /** The approximate size of a row without its document. */
    private static final int ROW_BYTES = 200;

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final Timer PAGES = timer("page");
    private static final Timer FIGURES = timer("figures");

    private final Db db;
    private final Db queryDb;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final ReadableSchemas views;
    private final PlannerHints hints;
    private final Cursors cursors;
    private final QueryStore store = new QueryStore();
    private final AnswerCache answers;
    private final BoundedCount boundedCount;
    private final CallerTraits traits;
    private final Semaphore scanPermits = new Semaphore(MAX_HEAVY, true);

    /** The connections of queries, {@code queryDb} with {@link #PLANNER}, and what tells the days of readers. */
    public record Sources(Db db, Db queryDb, Users users, InstantSource clock) {}

    public Queries(
            Sources sources,
            Projects projects,
            SchemaCatalog catalog,
            AccessResolver accessResolver,
            PlannerHints hints,
            Cursors cursors) {
        this.db = sources.db();
        this.queryDb = sources.queryDb();
        this.traits = new CallerTraits(sources.users(), sources.clock());
        this.projects = projects;
        this.catalog = catalog;
        this.views = new ReadableSchemas(db, accessResolver);
        this.hints = hints;
        this.cursors = cursors;
        this.answers = new AnswerCache(queryDb, store);
        this.boundedCount = new BoundedCount(queryDb, store);
    }

    private static Timer timer(String kind) {
        return Timer.builder("hiroba.records.queries")
                .description("Queries of records that this node asked of the database")
                .tag("kind", kind)
                .register(Metrics.globalRegistry);
    }

    /**
     * Settings of connections that run compiled queries. The compiler has chosen the index scan and the order of
     * lookups, with statistics that PostgreSQL does not have; these settings keep PostgreSQL from choosing another
     * plan, and from planning the same statement again.
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

    /** A page of the records that the caller may read. */
    public QueryResult page(Caller caller, ProjectId project, RecordQuery query) {
        return page(caller, project, null, query);
    }

    /**
     * A page of records.
     *
     * @param seeAs the one as whom an owner sees them, see {@link Projects#seeAs}; null for the caller
     */
    public QueryResult page(Caller caller, ProjectId project, @Nullable String seeAs, RecordQuery asked) {
        var query = settled(caller, asked);
        return withCachedAccess(
                caller,
                project,
                seeAs,
                access -> answers.get(access, query, QueryResult.class, () -> page(access, query, result -> result)));
    }

    /** The same as JSON. */
    public byte[] json(Caller caller, ProjectId project, RecordQuery query) {
        return json(caller, project, null, query);
    }

    /**
     * Counts and sums records.
     *
     * @param seeAs as in {@link #page(Caller, ProjectId, String, RecordQuery)}
     */
    byte[] json(Caller caller, ProjectId project, @Nullable String seeAs, RecordQuery asked) {
        var query = settled(caller, asked);
        return withCachedAccess(
                caller,
                project,
                seeAs,
                access -> answers.get(
                        access, new JsonPage(query), byte[].class, () -> page(access, query, QueryResultWriter::page)));
    }

    /** A page that is asked for as JSON. */
    private record JsonPage(RecordQuery query) {}

    /** The exact number of records that match. */
    private record ExactCount(String schema, @Nullable Condition where) {}

    /** The SQL of a page with PostgreSQL's plan, analyzed; for owners. */
    public QueryStore.Explanation explain(Caller caller, ProjectId project, RecordQuery query) {
        return explain(caller, project, null, query);
    }

    QueryStore.Explanation explain(Caller caller, ProjectId project, @Nullable String seeAs, RecordQuery asked) {
        var query = settled(caller, asked);
        projects.access(caller, project).requireOwner();
        return withCachedAccess(caller, project, seeAs, access -> {
            var plan = plan(access, query);
            var statement = QueryStore.page(plan, plan.parts().findFirst().orElseThrow(), query.limit() + 1);
            return queryDb.read(reads -> store.explain(reads, statement));
        });
    }

    /** Aggregates the records that match. */
    public Aggregates.Result aggregate(Caller caller, ProjectId project, Aggregates.Query query) {
        return aggregate(caller, project, null, query);
    }

    /**
     * The figures of records.
     *
     * @param seeAs as in {@link #page(Caller, ProjectId, String, RecordQuery)}
     */
    public Aggregates.Result aggregate(
            Caller caller, ProjectId project, @Nullable String seeAs, Aggregates.Query asked) {
        var query = asked.where(traits.settled(asked.where(), asked.timeZone()));
        return withCachedAccess(
                caller,
                project,
                seeAs,
                access -> limited(access, query, Aggregates.Result.class, () -> {
                    var aggregates = aggregates(access, query);
                    countUsage(aggregates.plan());
                    long at = System.nanoTime();
                    var found = db.read(reads -> store.groups(reads, aggregates.statement()));
                    FIGURES.record(System.nanoTime() - at, TimeUnit.NANOSECONDS);
                    int bytes = found.groups().stream().mapToInt(String::length).sum() * 4;
                    return Answer.of(
                            aggregates.result(found),
                            aggregates.plan(),
                            found.observed().data(),
                            bytes,
                            at);
                }));
    }

    /** With the days of now, so that a kept answer is never one of yesterday's. */
    private RecordQuery settled(Caller caller, RecordQuery query) {
        return query.where(traits.settled(caller.user(), query.where()));
    }

    /**
     * The number of records that {@code reader} would read if {@code rules} were theirs, for owners who try them out.
     *
     * @param limit where to stop counting
     */
    public int countReadable(ProjectAccess owner, ProjectAccess reader, Schema schema, AccessRules rules, int limit) {
        owner.requireOwner();
        return db.read(reads -> {
            var sql = new SqlBindings();
            var rows = views.of(reads, reader, schema, rules).rows();
            var test = new PredicateSql(owner.tables(), sql).of(rows, "r");
            return store.matching(reads, owner.tables(), schema, test, sql, limit)
                    .size();
        });
    }

    Aggregates aggregates(ProjectAccess access, Aggregates.Query query) {
        return new Aggregates(plan(access, RecordQuery.all(query.schema()).where(query.where())), query);
    }

    /**
     * Runs with the cached role and schemas, and again with fresh ones if these turn out to be outdated.
     */
    private <T> T withCachedAccess(
            Caller caller, ProjectId project, @Nullable String seeAs, Function<ProjectAccess, T> work) {
        for (int attempt = 1; ; attempt++) {
            var access = projects.cachedAccess(caller, project);
            try {
                return work.apply(seeAs == null ? access : projects.seeAs(access, seeAs));
            } catch (AccessSnapshot.Stale e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw RecordsProblem.contended();
                }
                catalog.invalidate(access.tables());
                projects.invalidate(caller, project);
            } catch (RecordsProblem e) {
                // An unknown name may be newer than the cache; no other problem is cured by a refresh.
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

    /** @param form what is made of the page */
    private <T> Answer<T> page(ProjectAccess access, RecordQuery query, Function<QueryResult, T> form) {
        long at = System.nanoTime();
        var plan = plan(access, query);
        var rows = new ArrayList<ResultRow>();
        QueryStore.Outcome first = null;
        for (var parts = plan.parts().iterator(); rows.size() <= query.limit() && parts.hasNext(); ) {
            var outcome = run(plan, parts.next(), query.limit() + 1 - rows.size());
            first = first == null ? outcome : first;
            add(rows, outcome.rows());
        }
        countUsage(plan);
        boolean more = rows.size() > query.limit();
        var shown = more ? rows.subList(0, query.limit()) : rows;
        var next = more
                ? cursors.write(
                        plan.list(),
                        KeysetPosition.of(plan.order(), shown.getLast()).cursor())
                : null;
        var result = new QueryResult(
                plan.view().schema(),
                plan.shown(),
                plan.joined(),
                shown,
                next,
                count(access, plan, query, shown.size(), more));
        PAGES.record(System.nanoTime() - at, TimeUnit.NANOSECONDS);
        // In the first snapshot, so that what was written between two statements makes the answer an old one.
        return Answer.of(
                form.apply(result),
                plan,
                first == null ? null : first.observed().data(),
                bytes(shown),
                at);
    }

    private static int bytes(List<ResultRow> rows) {
        int bytes = 0;
        for (var row : rows) {
            bytes += ROW_BYTES + row.stored().length();
        }
        return bytes;
    }

    /** Removes a record that lost the value of the sort key between two parts of a page, and so is in both. */
    private static void add(List<ResultRow> rows, List<ResultRow> more) {
        if (rows.isEmpty()) {
            rows.addAll(more);
            return;
        }
        var existing = rows.stream().map(ResultRow::id).collect(Collectors.toSet());
        more.stream().filter(row -> !existing.contains(row.id())).forEach(rows::add);
    }

    /** Limits concurrent scans of many records, so that they do not use all connections: others wait for a while. */
    private <T> T limited(ProjectAccess access, Object question, Class<T> type, Supplier<Answer<T>> compute) {
        return answers.find(access, question, type).orElseGet(() -> {
            boolean waits = !scanPermits.tryAcquire();
            if (waits) {
                awaitPermit();
            }
            try {
                // Whoever was waited for may have asked the same.
                return (waits ? answers.find(access, question, type) : Optional.<T>empty())
                        .orElseGet(() -> answers.put(access, question, compute.get()));
            } finally {
                scanPermits.release();
            }
        });
    }

    private void awaitPermit() {
        try {
            if (!scanPermits.tryAcquire(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw RecordsProblem.busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RecordsProblem.busy();
        }
    }

    private QueryPlan plan(ProjectAccess access, RecordQuery query) {
        return new QueryPlan(access, query, catalog, views, hints, cursors);
    }

    private QueryStore.Outcome run(QueryPlan plan, QueryPlan.Part part, int limit) {
        var statement = QueryStore.page(plan, part, limit);
        var outcome =
                queryDb.read(reads -> store.run(reads, statement, plan.joined().size()));
        plan.snapshot().require(outcome.observed());
        return outcome;
    }

    private QueryResult.@Nullable Counted count(
            ProjectAccess access, QueryPlan plan, RecordQuery query, int shown, boolean more) {
        if (query.count() == RecordQuery.Count.NONE) {
            return null;
        }
        if (plan.after() == null && !more) {
            return new QueryResult.Counted(shown, true);
        }
        if (query.count() == RecordQuery.Count.ESTIMATE) {
            return boundedCount.of(plan, shown + (more ? 1 : 0));
        }
        var question = new ExactCount(query.schema(), query.where());
        long counted = limited(access, question, Long.class, () -> {
            long at = System.nanoTime();
            var found = db.read(reads -> store.groups(reads, QueryStore.count(plan)));
            plan.snapshot().require(found.observed());
            return Answer.of(
                    Long.valueOf(found.groups().getFirst()),
                    plan,
                    found.observed().data(),
                    0,
                    at);
        });
        return new QueryResult.Counted(counted, true);
    }

    private void countUsage(QueryPlan plan) {
        // An index serves one sort key.
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
