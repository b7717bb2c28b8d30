package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordNames;
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
import tools.jackson.databind.JsonNode;

/** Builds rows of the grid. */
final class GridRows {

    /** The most people, records or files of a cell that are shown. */
    private static final int MAX_ITEMS = 10;

    private final ProjectAccess access;
    private final RecordAccess recordAccess;
    private final PageContext context;
    private final RecordTitles titles;
    private final Reader reader;
    private final CellFormatter cells;
    private final Map<String, Cell> referred = new HashMap<>();

    GridRows(ProjectAccess access, RecordAccess recordAccess, PageContext context, RecordTitles titles, Reader reader) {
        this.access = access;
        this.recordAccess = recordAccess;
        this.context = context;
        this.titles = titles;
        this.cells =
                new CellFormatter(reader, context::person).of(access.project().id());
        this.reader = reader;
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
        var shown = new ArrayList<Cell>();
        var inputs = new ArrayList<Grid.CellInput>();
        for (var column : columns) {
            var value = record.values().get(column.name());
            var cell = column.references() == null ? cells.of(column, value) : referring(column, value);
            shown.add(cell.shortened(MAX_ITEMS));
            inputs.add(input(column, cell, value));
        }
        return line(record.id(), record.version(), shown, inputs);
    }

    /** Many rows refer to the same few records. */
    private Cell referring(SchemaAttribute column, @Nullable JsonNode value) {
        return referred.computeIfAbsent(
                column.name() + " " + (value == null ? "" : value.toString()),
                any -> titles.cell(access, column, value));
    }

    private Grid.CellInput input(SchemaAttribute column, Cell cell, @Nullable JsonNode value) {
        return Grid.CellInput.of(column, cell, FormValues.text(column, value, reader));
    }

    private Grid.Line line(
            QueryResult found,
            Map<String, Integer> joined,
            Map<String, Map<String, String>> listed,
            ResultRow row,
            List<SchemaAttribute> columns) {
        var document = row.document();
        var shown = new ArrayList<Cell>();
        var inputs = new ArrayList<Grid.CellInput>();
        for (var column : columns) {
            var stored = Documents.value(document, column);
            var value = stored.isNull() ? null : column.type().shown(stored);
            var cell = cell(column, value, listed.getOrDefault(column.name(), Map.of()), found, joined, row);
            shown.add(cell.shortened(MAX_ITEMS));
            inputs.add(input(column, cell, value));
        }
        return line(row.id().toString(), row.version(), shown, inputs);
    }

    private Cell cell(
            SchemaAttribute column,
            @Nullable JsonNode value,
            Map<String, String> titled,
            QueryResult found,
            Map<String, Integer> joined,
            ResultRow row) {
        if (column.references() == null || value == null) {
            return cells.of(column, value);
        }
        return column.isList()
                ? titles.cells(access, column, value, titled)
                : titles.cell(access, column, value.asString(), title(found, joined.get(column.name()), row));
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
                : RecordNames.title(context.target(access, column.references()));
    }

    private Grid.Line line(String id, int version, List<Cell> shown, List<Grid.CellInput> inputs) {
        return new Grid.Line(
                id,
                RecordPaths.schema(access.project().id(), recordAccess.schema().name()) + "/" + id
                        + SeeAsBanner.query(access),
                version,
                shown,
                inputs);
    }
}
