package io.hiroba.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Formats rows as a table with aligned columns. */
final class Table {

    private final List<Column> columns = new ArrayList<>();

    private record Column(String title, Function<JsonNode, String> value) {}

    Table column(String title, String field) {
        return column(title, row -> row.path(field).asString(""));
    }

    Table column(String title, Function<JsonNode, String> value) {
        columns.add(new Column(title, row -> Text.cell(value.apply(row))));
        return this;
    }

    String render(Iterable<JsonNode> rows) {
        var lines = new ArrayList<List<String>>();
        lines.add(columns.stream().map(Column::title).toList());
        StreamSupport.stream(rows.spliterator(), false)
                .map(row -> columns.stream()
                        .map(column -> column.value().apply(row))
                        .toList())
                .forEach(lines::add);
        var text = new StringBuilder();
        for (var line : lines) {
            var row = new StringBuilder();
            for (int i = 0; i < columns.size(); i++) {
                row.append(line.get(i)).append(" ".repeat(widest(lines, i) - Text.width(line.get(i)) + 2));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int widest(List<List<String>> lines, int column) {
        return lines.stream()
                .mapToInt(line -> Text.width(line.get(column)))
                .max()
                .orElse(0);
    }
}
