package io.hiroba.records.views;

import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.ConditionParser;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A chart or figure as one reader sees it.
 *
 * @param by the attribute of the groups; null for a figure of all records together
 * @param bins whether numbers fall into ranges
 * @param where a condition with the names of now
 */
public record ResolvedPanel(
        RecordAccess recordAccess,
        Aggregates.Measure measure,
        @Nullable SchemaAttribute by,
        Aggregates.@Nullable Unit unit,
        boolean bins,
        @Nullable JsonNode where) {

    /** Whether groups follow each other in time. */
    public boolean isInTime() {
        return unit != null;
    }

    /** @param bin the width of the ranges that numbers fall into */
    Aggregates.Query query(int limit, String zone, @Nullable BigDecimal bin) {
        return new Aggregates.Query(
                recordAccess.schema().name(),
                ConditionParser.condition(where),
                by == null ? List.of() : List.of(new Aggregates.Group(by.name(), unit, bin)),
                List.of(measure),
                limit,
                zone,
                by != null && unit == null && bin == null);
    }

    /** The query for the least and the greatest number. */
    Aggregates.Query ends(SchemaAttribute of, String zone) {
        return new Aggregates.Query(
                recordAccess.schema().name(),
                ConditionParser.condition(where),
                List.of(),
                List.of(
                        new Aggregates.Measure(Aggregates.Function.MIN, of.name()),
                        new Aggregates.Measure(Aggregates.Function.MAX, of.name())),
                1,
                zone,
                false);
    }
}
