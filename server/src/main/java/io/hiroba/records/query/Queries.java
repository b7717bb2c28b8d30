package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.records.Access;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Sights;
import io.hiroba.records.statistics.Statistics;
import io.hiroba.records.tuning.HotIndexes;
import io.hiroba.records.tuning.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds records. */
public final class Queries {

    private static final int ATTEMPTS = 3;

    /** How many count or sum up at once on a node; a quarter of its connections. */
    private static final int MOST_LOOKING = 4;

    private final Db db;
    private final Db walks;
    private final Projects projects;
    private final Catalog catalog;
    private final Views views;
    private final Hints hints;
    private final Cursors cursors;
    private final QueryStore store = new QueryStore();
    private final Semaphore looking = new Semaphore(MOST_LOOKING);

    /** What helps to choose the way to the records. */
    public record Hints(Statistics statistics, HotIndexes indexes, Usage usage) {}

    /** @param walks connections whose planner does as it is told, see {@link #PLANNER} */
    public Queries(Db db, Db walks, Projects projects, Catalog catalog, Sights sights, Hints hints, Cursors cursors) {
        this.db = db;
        this.walks = walks;
        this.projects = projects;
        this.catalog = catalog;
        this.views = new Views(db, sights);
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
    public Found page(Caller caller, ProjectId project, Query query) {
        return asked(caller, project, access -> page(access, query));
    }

    /** The SQL of a page and PostgreSQL's plan of it, carried out; for owners. */
    public Explained explain(Caller caller, ProjectId project, Query query) {
        projects.access(caller, project).requireOwner();
        return asked(caller, project, access -> {
            var plan = plan(access, query);
            var statement = statement(plan, plan.parts().findFirst().orElseThrow(), query.limit() + 1);
            return walks.read(reads -> store.explain(reads, statement));
        });
    }

    /** How the records that pass fall into groups. */
    public Aggregates.Result aggregate(Caller caller, ProjectId project, Aggregates.Query query) {
        return asked(caller, project, access -> {
            var plan = plan(access, Query.all(query.schema()).where(query.where()));
            var aggregates = new Aggregates(plan, query);
            note(plan);
            return heavy(() -> db.read(reads -> aggregates.run(reads, store)));
        });
    }

    /**
     * Answers with what this node knows of the caller and the schemas, and again with what is so if that turns out to be
     * old.
     */
    private <T> T asked(Caller caller, ProjectId project, Function<Access, T> question) {
        for (int attempt = 1; ; attempt++) {
            var access = projects.known(caller, project);
            try {
                return question.apply(access);
            } catch (Gate.Closed e) {
                if (attempt == ATTEMPTS) {
                    throw RecordsProblem.contended();
                }
                catalog.forget(access.tables());
                projects.forget(caller, project);
            } catch (RecordsProblem e) {
                // A name that is not there may be newer than what this node knows; nothing else heals by that.
                if (attempt > 1 || e.kind() == Kind.UNAVAILABLE) {
                    throw e;
                }
                catalog.forget(access.tables());
                projects.forget(caller, project);
            } catch (DbException e) {
                if (SqlState.is(e, SqlState.UNDEFINED_TABLE)) {
                    projects.forget(caller, project);
                    throw RecordsProblem.noProject();
                }
                throw e;
            }
        }
    }

    private Found page(Access access, Query query) {
        var plan = plan(access, query);
        var rows = new ArrayList<FoundRow>();
        for (var parts = plan.parts().iterator(); rows.size() <= query.limit() && parts.hasNext(); ) {
            add(rows, run(plan, parts.next(), query.limit() + 1 - rows.size()));
        }
        note(plan);
        boolean more = rows.size() > query.limit();
        var shown = more ? rows.subList(0, query.limit()) : rows;
        var next = more
                ? cursors.write(
                        plan.list(), Position.of(plan.order(), shown.getLast()).cursor())
                : null;
        return new Found(
                plan.view().schema(), plan.shown(), plan.joined(), shown, next, count(plan, query, shown.size(), more));
    }

    /** A record that lost the value it is ordered by between two parts of a page is in both. */
    private static void add(List<FoundRow> rows, List<FoundRow> more) {
        if (rows.isEmpty()) {
            rows.addAll(more);
            return;
        }
        var there = rows.stream().map(FoundRow::id).collect(Collectors.toSet());
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

    private Plan plan(Access access, Query query) {
        return new Plan(access, query, catalog, views, hints, cursors);
    }

    private List<FoundRow> run(Plan plan, Plan.Part part, int limit) {
        var statement = statement(plan, part, limit);
        var outcome =
                walks.read(reads -> store.run(reads, statement, plan.joined().size()));
        var passed = outcome.passed();
        plan.gate().require(passed == null ? asked(plan.gate()) : passed);
        return outcome.rows();
    }

    /** Who finds nothing may not be one who may look. */
    private Gate.Passed asked(Gate gate) {
        var sql = new Sql();
        var text = "SELECT %s, %s".formatted(gate.role(sql), gate.versions());
        return db.read(reads -> store.gate(reads, new QueryStore.Statement(text, sql)));
    }

    private static QueryStore.Statement statement(Plan plan, Plan.Part part, int limit) {
        var sql = new Sql();
        var page = new Compiler(plan.tables(), plan.view(), sql)
                .page(part.source(), part.predicate(), part.order(), part.after(), limit);
        return new QueryStore.Statement(
                "SELECT " + plan.gate().role(sql) + ", " + plan.gate().versions()
                        + ",\n       w.row_id, w.version, w.created_by, w.updated_by, w.updated_at, w.doc"
                        + plan.joins(sql, "w")
                        + "\nFROM (\n" + page + ") AS w",
                sql);
    }

    private Found.@Nullable Counted count(Plan plan, Query query, int shown, boolean more) {
        if (query.count() == Query.Count.NONE) {
            return null;
        }
        if (plan.after() == null && !more) {
            return new Found.Counted(shown, true);
        }
        if (query.count() == Query.Count.ESTIMATE) {
            // The statistics are of all records; of those that rules hide nothing is told.
            long passing = plan.view().showsAllRows() ? (long) plan.planner().passing(plan.predicate()) : 0;
            return new Found.Counted(Math.max(shown + (more ? 1 : 0), passing), false);
        }
        var sql = new Sql();
        var from = new Compiler(plan.tables(), plan.view(), sql)
                .all(plan.planner().forAll(plan.predicate()), plan.predicate());
        var text = "SELECT %s, %s, (SELECT count(*) FROM %s)"
                .formatted(plan.gate().role(sql), plan.gate().versions(), from);
        var counted = heavy(() -> db.read(reads -> store.groups(reads, new QueryStore.Statement(text, sql))));
        plan.gate().require(counted.passed());
        return new Found.Counted(Long.parseLong(counted.groups().getFirst()), true);
    }

    private void note(Plan plan) {
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
