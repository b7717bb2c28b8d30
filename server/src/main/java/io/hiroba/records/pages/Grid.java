package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.QueryResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of a schema as a table.
 *
 * @param path its path without the query
 * @param query the query string
 * @param export the URL of the export, to which the format is added; empty where it cannot be expressed
 * @param more the URL of the next rows, if any
 * @param problem the error of the request
 * @param deleted the record that was just deleted and can be restored
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

    /** A grid without rows. */
    static Grid frame(ProjectAccess access, RecordAccess recordAccess, GridRequest request) {
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        return new Grid(
                ProjectHeader.of(access),
                recordAccess.schema().label(),
                path,
                request.query(),
                request.export()
                        .map(query -> "/api/v1/projects/%s/exports/%s%s"
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
                attribute.label(),
                Text.of("records.kind."
                        + (attribute.references() != null
                                ? "link"
                                : attribute.type().label())),
                attribute.type() == ValueType.NUMERIC,
                request.columns().isEmpty() || request.columns().contains(name),
                !recordAccess.canWrite(attribute),
                sorted,
                // JSON cannot be sorted.
                path + (attribute.type() == ValueType.JSONB ? request : request.sortedBy(name)).query());
    }

    public List<Column> shown() {
        return columns.stream().filter(Column::isShown).toList();
    }

    public boolean hasHidden() {
        return columns.stream().anyMatch(column -> !column.isShown());
    }

    /** The number of columns, including the outer ones. */
    public int width() {
        return shown().size() + 2;
    }

    /**
     * A column.
     *
     * @param sorted the value of {@code aria-sort}; empty if it is not the sort key
     * @param sort the URL that sorts by it
     */
    public record Column(
            String name,
            String label,
            Text type,
            boolean isNumber,
            boolean isShown,
            boolean isReadOnly,
            @Nullable String sorted,
            String sort) {}

    /** A row. */
    public record Line(String id, String path, List<Cell> cells) {

        public Line {
            cells = List.copyOf(cells);
        }
    }

    /**
     * The number of records.
     *
     * @param exact the URL that counts exactly; empty if the number is exact
     */
    public record Count(String text, @Nullable String exact) {

        static Text words(QueryResult.Counted counted) {
            return counted.exact()
                    ? Text.of("records.count", "count", counted.value())
                    : Text.of("records.count-about", "count", counted.value());
        }
    }
}
