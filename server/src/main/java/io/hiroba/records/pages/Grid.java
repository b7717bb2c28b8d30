package io.hiroba.records.pages;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of a schema as a table.
 *
 * @param path its address without what it was asked for
 * @param query what it was asked for, as part of an address
 * @param export where all of it is written to a file, but for the format; none where that cannot be asked for
 * @param more where the next lines are, if there are any
 * @param problem what is wrong with what was asked
 * @param deleted the record that was deleted just now and can be had back
 */
public record Grid(
        ProjectHeader project,
        String schema,
        String path,
        String query,
        @Nullable String export,
        List<Column> columns,
        List<Line> lines,
        @Nullable String more,
        Filter filter,
        Count count,
        @Nullable String problem,
        @Nullable String deleted) {

    public Grid {
        columns = List.copyOf(columns);
        lines = List.copyOf(lines);
    }

    /** A grid without its lines. */
    static Grid frame(ProjectAccess access, RecordAccess recordAccess, GridRequest request) {
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        return new Grid(
                ProjectHeader.of(access),
                recordAccess.schema().name(),
                path,
                request.query(),
                request.export()
                        .map(query -> "/api/v1/projects/%s/exports/%s?safe=true%s"
                                .formatted(
                                        access.project().id().hex(),
                                        RecordPaths.encoded(
                                                recordAccess.schema().name()),
                                        query))
                        .orElse(null),
                recordAccess.shown().stream()
                        .map(each -> column(recordAccess, request, path, each))
                        .toList(),
                List.of(),
                null,
                new Filter(List.of(), false, List.of(), List.of(), ""),
                new Count("", null),
                null,
                null);
    }

    private static Column column(
            RecordAccess recordAccess, GridRequest request, String path, SchemaAttribute attribute) {
        var name = attribute.name();
        var sorted = name.equals(request.sort()) ? request.descending() ? "descending" : "ascending" : null;
        return new Column(
                name,
                attribute.references() != null ? "link" : attribute.type().label(),
                attribute.type() == ValueType.NUMERIC,
                request.columns().isEmpty() || request.columns().contains(name),
                !recordAccess.canWrite(attribute),
                sorted,
                // JSON has no order.
                path + (attribute.type() == ValueType.JSONB ? request : request.sortedBy(name)).query());
    }

    public List<Column> shown() {
        return columns.stream().filter(Column::isShown).toList();
    }

    public boolean hasHidden() {
        return columns.stream().anyMatch(column -> !column.isShown());
    }

    /** The cells of a line and what stands before and after them. */
    public int width() {
        return shown().size() + 2;
    }

    /**
     * An attribute.
     *
     * @param sorted the value of {@code aria-sort}; none where it is not sorted by
     * @param sort where a click leads
     */
    public record Column(
            String name,
            String type,
            boolean isNumber,
            boolean isShown,
            boolean isReadOnly,
            @Nullable String sorted,
            String sort) {}

    /** A record. */
    public record Line(String id, String path, List<Cell> cells) {

        public Line {
            cells = List.copyOf(cells);
        }
    }

    /**
     * The number of records.
     *
     * @param exact where the exact number is counted; none where it is exact
     */
    public record Count(String text, @Nullable String exact) {}
}
