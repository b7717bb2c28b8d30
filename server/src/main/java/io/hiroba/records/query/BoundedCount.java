package io.hiroba.records.query;

import io.hiroba.platform.db.Db;
import io.hiroba.records.Documents;
import io.hiroba.records.query.QueryResult.Counted;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Counts the records that match a query, exactly as far as a bounded look at candidates goes. Beyond it the number is estimated, by the
 * statistics where they tell of one attribute alone, and otherwise by a sample of the table's pages.
 */
final class BoundedCount {

    /** The candidates whose records are looked up. */
    static final int MAX_LOOKUPS = 5_000;

    /** The entries that are counted where an index tells all. */
    static final int MAX_ENTRIES = 10_000;

    private static final int SAMPLE_PAGES = 600;

    /** The matches in a sample below which the share of a condition says more than the sample. */
    private static final int FEW = 4;

    private static final MathContext ROUNDED = new MathContext(2, RoundingMode.HALF_UP);
    private static final MathContext ROUNDED_UP = new MathContext(2, RoundingMode.UP);

    private final Db queryDb;
    private final QueryStore store;

    BoundedCount(Db queryDb, QueryStore store) {
        this.queryDb = queryDb;
        this.store = store;
    }

    /** The number of records that were looked at, and of those of them that match. */
    private record Looked(long at, long matching) {}

    /** @param shown the number of matching records that are known already */
    Counted of(QueryPlan plan, int shown) {
        boolean told = plan.isToldByIndex();
        int most = told ? MAX_ENTRIES : MAX_LOOKUPS;
        var looked = looked(plan, QueryStore.look(plan, most + 1));
        if (looked.at() <= most) {
            return new Counted(looked.matching(), true);
        }
        double estimate =
                told && plan.planner().isInformed() ? plan.planner().passing(plan.predicate()) : sampled(plan);
        return new Counted(rounded(estimate, Math.max(shown, looked.matching())), false);
    }

    private double sampled(QueryPlan plan) {
        long pages = queryDb.read(reads -> store.pages(reads, plan.tables()));
        double share = Math.min(1, SAMPLE_PAGES / (double) Math.max(1, pages));
        var sample = looked(plan, QueryStore.sample(plan, share));
        var planner = plan.planner();
        double rows = planner.isInformed() ? planner.rows() : sample.at() / share;
        if (sample.at() == 0) {
            return planner.passing(plan.predicate());
        }
        double found = rows * sample.matching() / sample.at();
        if (sample.matching() >= FEW || !planner.isInformed()) {
            return found;
        }
        double atMost = rows * (sample.matching() + 3 * Math.sqrt((double) sample.matching()) + 3) / sample.at();
        return Math.min(atMost, planner.passing(plan.predicate()));
    }

    private Looked looked(QueryPlan plan, QueryStore.Statement statement) {
        var found = queryDb.read(reads -> store.groups(reads, statement));
        plan.snapshot().require(found.observed());
        var counts = Documents.read(found.groups().getFirst());
        return new Looked(counts.get(0).longValue(), counts.get(1).longValue());
    }

    /** To two digits, since no others are known; never below what was seen. */
    static long rounded(double estimate, long seen) {
        long rounded = BigDecimal.valueOf(estimate).round(ROUNDED).longValue();
        return rounded >= seen
                ? rounded
                : BigDecimal.valueOf(seen).round(ROUNDED_UP).longValue();
    }
}
