package io.hiroba.records.views;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.Queries;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a chart.
 *
 * @param bin the width of the ranges that numbers fall into; null if they do not
 */
public record PanelFigures(
        Aggregates.Result result, @Nullable BigDecimal bin) {

    private static final int MAX_BARS = 40;
    private static final int MAX_POINTS = 400;

    /**
     * Asks for the figures of a panel.
     *
     * @param zone the zone in which moments fall into days, and whose days relative ones are
     */
    public static PanelFigures of(Queries queries, ProjectAccess access, ResolvedPanel panel, String zone) {
        var bin = panel.bins() ? width(queries, access, panel, zone) : null;
        return new PanelFigures(
                run(queries, access, panel.query(panel.isInTime() ? MAX_POINTS : MAX_BARS, zone, bin)), bin);
    }

    private static BigDecimal width(Queries queries, ProjectAccess access, ResolvedPanel panel, String zone) {
        var by = panel.by();
        if (by == null) {
            return BigDecimal.ONE;
        }
        var ends = run(queries, access, panel.ends(by, zone)).rows().getFirst().figures();
        var least = ends.getFirst();
        var most = ends.getLast();
        return least == null || most == null
                ? BigDecimal.ONE
                : Aggregates.binWidth(least.decimalValue(), most.decimalValue());
    }

    private static Aggregates.Result run(Queries queries, ProjectAccess access, Aggregates.Query query) {
        var seenAs = access.seenAs();
        return queries.aggregate(access.caller(), access.project().id(), seenAs == null ? null : seenAs.given(), query);
    }
}
