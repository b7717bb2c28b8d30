package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordView;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.ResultRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds rows of the grid. */
final class GridRows {

    /** The most people, records or files of a cell that are shown. */
    private static final int MAX_ITEMS = 10;

    private final ProjectAccess access;
    private final RecordAccess recordAccess;
    private final PageContext context;
    private final RecordTitles titles;
    private final CellFormatter cells;

    GridRows(ProjectAccess access, RecordAccess recordAccess, PageContext context, RecordTitles titles, Reader reader) {
        this.access = access;
        this.recordAccess = recordAccess;
        this.context = context;
        this.titles = titles;
        this.cells = new CellFormatter(reader, context::person).of(access.project().id());
    }

    /** The attributes to select: references come with the titles of their targets. */
    List<String> select(List<SchemaAttribute> columns) {
        var select = new ArrayList<String>();
        for (var column : columns) {
            select.add(column.name());
            title(column).ifPresent(title -> select.add(column.name() + "." + title.name()));
        }
        return select;
    }

    List<Grid.Line> of(QueryResult found, List<SchemaAttribute> columns) {
        var joined = new HashMap<String, Integer>();
        for (int i = 0; i < found.joined().size(); i++) {
            joined.put(found.joined().get(i).reference().name(), i);
        }
        // The titles of the records in lists, which the query does not join.
        var listed = new HashMap<String, Map<String, String>>();
        for (var column : columns) {
            if (column.references() != null && column.isList()) {
                var lists = found.rows().stream()
                        .map(row -> Documents.value(row.document(), column))
                        .toList();
                listed.put(column.name(), titles.titles(access, column, lists, MAX_ITEMS));
            }
        }
        return found.rows().stream()
                .map(row -> line(found, joined, listed, row, columns))
                .toList();
    }

    Grid.Line of(RecordView record, List<SchemaAttribute> columns) {
        return line(
                record.id(),
                columns.stream()
                        .map(column -> column.references() == null
                                ? cells.of(column, record.values().get(column.name()))
                                : titles.cell(access, column, record.values().get(column.name())))
                        .toList());
    }

    private Grid.Line line(
            QueryResult found,
            Map<String, Integer> joined,
            Map<String, Map<String, String>> listed,
            ResultRow row,
            List<SchemaAttribute> columns) {
        var document = row.document();
        var shown = new ArrayList<Cell>();
        for (var column : columns) {
            var value = Documents.value(document, column);
            if (column.references() == null || value.isNull()) {
                shown.add(cells.of(column, value.isNull() ? null : column.type().shown(value))
                        .shortened(MAX_ITEMS));
            } else if (column.isList()) {
                shown.add(titles.cells(access, column, value, listed.getOrDefault(column.name(), Map.of()))
                        .shortened(MAX_ITEMS));
            } else {
                shown.add(titles.cell(access, column, value.asString(), title(found, joined.get(column.name()), row)));
            }
        }
        return line(row.id().toString(), shown);
    }

    private static Optional<String> title(QueryResult found, @Nullable Integer place, ResultRow row) {
        if (place == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(row.targets().get(place))
                .map(Documents::read)
                .map(document ->
                        Documents.value(document, found.joined().get(place).attribute()))
                .filter(value -> !value.isNull())
                .map(value -> value.asString());
    }

    private Optional<SchemaAttribute> title(SchemaAttribute column) {
        return column.references() == null || column.isList()
                ? Optional.empty()
                : RecordTitles.attribute(context.target(access, column.references()));
    }

    private Grid.Line line(String id, List<Cell> shown) {
        return new Grid.Line(
                id,
                RecordPaths.schema(access.project().id(), recordAccess.schema().name()) + "/" + id + SeeAsBanner.query(access),
                shown);
    }
}
