package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.AccessRules.WriteKind;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.RecordSort;
import io.hiroba.records.views.ResolvedView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * @param views the views of the schema, where they are shown
 * @param groups the groups of the view with their figures
 * @param seeAs the one as whom an owner sees the records
 * @param denied the writes that the rules deny the reader
 * @param sorting the order, also that of the view
 * @param isNarrowed whether a filter, that of the view or a quick search leaves records out
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
        @Nullable String deleted,
        @Nullable ViewTabs views,
        @Nullable GroupSums groups,
        @Nullable SeeAsBanner seeAs,
        Set<WriteKind> denied,
        Sorting sorting,
        boolean isNarrowed) {

    public Grid {
        columns = List.copyOf(columns);
        lines = List.copyOf(lines);
        denied = Set.copyOf(denied);
    }

    public boolean mayCreate() {
        return project.mayEdit() && !denied.contains(WriteKind.CREATE);
    }

    /** Whether the table is there: one without rows is for the first records. */
    public boolean hasTable() {
        return problem == null && (!lines.isEmpty() || (mayCreate() && !isNarrowed));
    }

    /** The sort key at a place; empty for none. */
    public String sortKey(int place) {
        return sorting.key(place);
    }

    public int sortKeys() {
        return sorting.keys().size();
    }

    public List<Filter.Choice> sortChoices() {
        return sorting.choices();
    }

    public boolean mayDelete() {
        return project.mayEdit() && !denied.contains(WriteKind.DELETE);
    }

    /** A grid without rows. */
    static Grid frame(ProjectAccess access, RecordAccess recordAccess, GridRequest request) {
        return frame(access, recordAccess, request, null);
    }

    /** @param view the view that the request begins with */
    static Grid frame(
            ProjectAccess access, RecordAccess recordAccess, GridRequest request, @Nullable ResolvedView view) {
        var effective = effective(request, view);
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        var ordered = ordered(recordAccess, effective);
        return new Grid(
                ProjectHeader.of(access),
                recordAccess.schema().label(),
                path,
                effective.query(),
                null,
                ordered.stream()
                        .map(each -> column(
                                recordAccess, request, effective, path, each, view, each.equals(ordered.getFirst())))
                        .toList(),
                List.of(),
                null,
                new Filter(List.of(), false, List.of(), List.of()),
                Count.NONE,
                null,
                null,
                null,
                null,
                null,
                recordAccess.rules().denied(),
                new Sorting(List.of(), List.of()),
                false);
    }

    /** The keys that the records are sorted by, which may be those of the view. */
    static List<RecordSort> sort(GridRequest request, @Nullable ResolvedView view) {
        return view == null || !request.sort().isEmpty() ? request.sort() : view.sort();
    }

    /** The request with the columns of the view where it names none. */
    static GridRequest effective(GridRequest request, @Nullable ResolvedView view) {
        return view == null || !request.columns().isEmpty()
                ? request
                : request.withColumns(
                        view.shown().stream().map(SchemaAttribute::name).toList());
    }

    /** Those that are shown in their order, and then the others. */
    private static List<SchemaAttribute> ordered(RecordAccess recordAccess, GridRequest effective) {
        var ordered = new LinkedHashSet<>(effective.columns(recordAccess));
        ordered.addAll(recordAccess.shown());
        return List.copyOf(ordered);
    }

    private static Column column(
            RecordAccess recordAccess,
            GridRequest request,
            GridRequest effective,
            String path,
            SchemaAttribute attribute,
            @Nullable ResolvedView view,
            boolean isFirst) {
        var kept = view == null
                ? Optional.<ResolvedView.ShownColumn>empty()
                : view.columns().stream()
                        .filter(each -> each.attribute().equals(attribute))
                        .findFirst();
        var name = attribute.name();
        var sorted = sort(request, view).stream()
                .filter(key -> key.attribute().equals(name))
                .map(key -> key.descending() ? "descending" : "ascending")
                .findFirst()
                .orElse(null);
        return new Column(
                name,
                attribute.label(),
                Text.of("records.kind."
                        + (attribute.references() != null
                                ? "link"
                                : attribute.isPerson()
                                        ? "person"
                                        : attribute.isAttachments()
                                                ? "files"
                                                : attribute.type().label().replace('_', '-'))),
                attribute.type() == ValueType.NUMERIC,
                effective.columns().isEmpty() || effective.columns().contains(name),
                !recordAccess.canWrite(attribute) || !recordAccess.may(WriteKind.UPDATE),
                recordAccess.schema().isComputed(attribute)
                        ? Text.of("records.computed-read-only", "attribute", attribute.label())
                        : null,
                FormFields.isTyped(attribute),
                sorted,
                // JSON cannot be sorted.
                path + (attribute.type().isOrdered() ? request.sortedBy(name) : request).query(),
                kept.map(ResolvedView.ShownColumn::width).orElse(null),
                // The first column names the record, unless a view says otherwise.
                view == null
                        ? isFirst
                        : kept.filter(ResolvedView.ShownColumn::frozen).isPresent());
    }

    public List<Column> shown() {
        return columns.stream().filter(Column::isShown).toList();
    }

    /** The text of the quick search; empty for none. */
    public String search() {
        return filter.kept().stream()
                .filter(each -> each.name().equals("q"))
                .map(Filter.Parameter::value)
                .findFirst()
                .orElse("");
    }

    /** The project and schema whose changes open pages are told. */
    public String live() {
        return path.substring(RecordPaths.ALL.length() + 1);
    }

    /** Where the widths and the order of columns are kept; null if the reader may not change the view, or there is none. */
    public @Nullable String viewColumns() {
        return views == null || views.current() == null || !views.mayChange()
                ? null
                : views.current().path() + "/columns";
    }

    /** The version of the view whose columns are kept; null without one. */
    public @Nullable Integer viewVersion() {
        return views == null || viewColumns() == null ? null : (Integer) views.version();
    }

    /** The number of columns, including the outer ones. */
    public int width() {
        return shown().size() + 2;
    }

    /**
     * A column.
     *
     * @param isTyped whether its values are typed as they are; others have an editor with choices
     * @param sorted the value of {@code aria-sort}; empty if it is not the sort key
     * @param sort the URL that sorts by it
     * @param width in pixels, if a view sets it
     */
    public record Column(
            String name,
            String label,
            Text type,
            boolean isNumber,
            boolean isShown,
            boolean isReadOnly,
            @Nullable Text readOnlyReason,
            boolean isTyped,
            @Nullable String sorted,
            String sort,
            @Nullable Integer width,
            boolean isFrozen) {}

    /**
     * A row.
     *
     * @param inputs the values of the cells as they are typed and copied
     */
    public record Line(String id, String path, int version, List<Cell> cells, List<CellInput> inputs) {

        public Line {
            cells = List.copyOf(cells);
            inputs = List.copyOf(inputs);
        }
    }

    /**
     * The value of a cell as it is typed and copied, where that is not what is shown.
     *
     * @param typed what an editor begins with; null for what is shown
     * @param copied what is copied to other programs; null for {@code typed}
     * @param isLong whether it is too long for a page, so that editors ask for it
     */
    public record CellInput(
            @Nullable String typed, @Nullable String copied, boolean isLong) {

        public static final CellInput NONE = new CellInput(null, null, false);

        private static final int MAX_LENGTH = 2000;

        static CellInput of(SchemaAttribute attribute, Cell cell, String typed) {
            if (typed.length() > MAX_LENGTH) {
                return new CellInput(null, null, true);
            }
            return new CellInput(
                    typed.equals(cell.text()) && typed.strip().equals(typed) ? null : typed,
                    copied(attribute, cell, typed),
                    false);
        }

        /** Names of what is referred to or chosen, and moments as spreadsheets read them. */
        private static @Nullable String copied(SchemaAttribute attribute, Cell cell, String typed) {
            if (attribute.type() == ValueType.DATETIME) {
                return typed.isEmpty() ? null : typed.replace('T', ' ');
            }
            boolean named = attribute.references() != null
                    || attribute.isSelect()
                    || attribute.isMultiSelect()
                    || attribute.isPerson();
            return named && !typed.equals(cell.text()) ? cell.text() : null;
        }
    }

    /**
     * The number of records.
     *
     * @param exact the URL that counts exactly; empty if the number is exact
     * @param rows the number, if it is known or estimated
     */
    public record Count(
            String text, @Nullable String exact, @Nullable Long rows) {

        static final Count NONE = new Count("", null, null);

        static Text words(QueryResult.Counted counted) {
            return counted.exact()
                    ? Text.of("records.count", "count", counted.value())
                    : Text.of("records.count-about", "count", counted.value());
        }
    }
}
