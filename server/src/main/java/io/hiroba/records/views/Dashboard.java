package io.hiroba.records.views;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.accounts.UserId;
import io.hiroba.records.ProjectId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A page of charts and figures of a project, which all of its members see by their rules.
 *
 * @param panels in their order, with schemas and attributes by their ids
 */
public record Dashboard(
        DashboardId id,
        ProjectId project,
        UserId owner,
        String name,
        List<Panel> panels,
        int version,
        Instant updatedAt) {

    public Dashboard {
        panels = List.copyOf(panels);
    }

    /**
     * A chart, or a figure of all records together.
     *
     * @param title null for one that is made of what it shows
     * @param groupBy null for a figure
     * @param where a condition as queries have it
     * @param wide whether it is as wide as the page
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Panel(
            @Nullable String title,
            String schema,
            Measure measure,
            @Nullable Grouping groupBy,
            @Nullable JsonNode where,
            @Nullable Boolean wide) {

        public Panel {
            title = title == null || title.isBlank() ? null : title.strip();
            where = where == null || where.isNull() || where.isEmpty() ? null : where;
        }

        public boolean isWide() {
            return Boolean.TRUE.equals(wide);
        }

        public Panel with(@Nullable String otherTitle, boolean isWide) {
            return new Panel(otherTitle, schema, measure, groupBy, where, isWide);
        }
    }

    /**
     * The figure of a panel.
     *
     * @param attr null for the count of records
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Measure(String fn, @Nullable String attr) {}

    /**
     * The groups of a chart.
     *
     * @param unit the unit that times are cut to
     * @param bins whether numbers fall into ranges
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Grouping(
            String attr, @Nullable String unit, @Nullable Boolean bins) {}

    /** A dashboard as it is requested, with schemas and attributes by name or id. */
    public record Draft(String name, List<Panel> panels) {

        public Draft {
            panels = List.copyOf(panels);
        }
    }

    /** The same as a draft with one panel more. */
    public Draft adding(Panel panel) {
        var more = new ArrayList<>(panels);
        more.add(panel);
        return new Draft(name, more);
    }

    /** The same as a draft with another panel in a place. */
    public Draft replacing(int place, Panel panel) {
        var others = new ArrayList<>(panels);
        others.set(place, panel);
        return new Draft(name, others);
    }

    /** The same as a draft without a panel. */
    public Draft removing(int place) {
        var others = new ArrayList<>(panels);
        others.remove(place);
        return new Draft(name, others);
    }

    /** The same as a draft with a panel before the one that it followed. */
    public Draft raising(int place) {
        var others = new ArrayList<>(panels);
        Collections.swap(others, place, place - 1);
        return new Draft(name, others);
    }

    Dashboard changed(Draft checked, Instant at) {
        return new Dashboard(id, project, owner, checked.name(), checked.panels(), version + 1, at);
    }
}
