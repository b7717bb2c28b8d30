package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.ValueType;
import io.hiroba.records.transfer.DurationReading;
import io.hiroba.records.transfer.FileFormat;
import io.hiroba.records.transfer.ImportOptions;
import io.hiroba.records.transfer.ImportPreview;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The first rows of the file of an import as records, with what may be chosen before it starts.
 *
 * @param checked how many rows were read
 * @param isWhole whether these are all rows
 * @param asksOrder whether the order of its days such as {@code 8/7/2026} may be chosen
 * @param order the order that was chosen; empty for none
 * @param orders the orders that may be chosen
 * @param durations the readings of texts such as {@code 1:30} that may be chosen, first the likely one; empty without such texts
 * @param reading the reading that was chosen; empty for none
 * @param marks the marks before decimals that may be chosen, first the likely one; empty where they do not matter
 * @param mark the mark that was chosen; empty for none
 * @param hasHeader whether the file has a line with the names of the columns
 * @param headerRow the one that was chosen; empty for the first
 */
public record PreviewedImport(
        List<Column> columns,
        List<Line> lines,
        long checked,
        boolean isWhole,
        boolean asksOrder,
        String order,
        List<Filter.Choice> orders,
        List<Filter.Choice> durations,
        String reading,
        List<Filter.Choice> marks,
        String mark,
        boolean hasHeader,
        String headerRow) {

    /** Whether all columns are mapped. */
    public boolean isReady() {
        return columns.stream().noneMatch(Column::isUnknown);
    }

    public PreviewedImport {
        columns = List.copyOf(columns);
        lines = List.copyOf(lines);
        orders = List.copyOf(orders);
        durations = List.copyOf(durations);
        marks = List.copyOf(marks);
    }

    /**
     * A column of the file and its mapping.
     *
     * @param note what becomes of it, where that needs saying
     * @param isUnknown whether it must be mapped first
     * @param target the attribute it is mapped to, or suggested for; empty for none
     * @param choices the possible attributes; empty if there is no choice
     */
    public record Column(
            String name,
            Text type,
            @Nullable Text note,
            boolean isUnknown,
            String target,
            List<Filter.Choice> choices) {

        public Column {
            choices = List.copyOf(choices);
        }

        public boolean isLeftOut() {
            return !isUnknown && target.isEmpty();
        }
    }

    /** A row of the file. */
    public record Line(long number, List<String> values) {

        public Line {
            values = List.copyOf(values);
        }
    }

    static PreviewedImport of(ColumnTargets targets, ImportPreview preview, ImportOptions options, Reader reader) {
        var columns = preview.columns().stream().map(targets::of).toList();
        var lines = new ArrayList<Line>();
        for (var row : preview.rows()) {
            lines.add(new Line(
                    row.line(),
                    preview.columns().stream()
                            .map(column -> {
                                var name = column.attribute();
                                var value = name == null ? null : row.values().get(name);
                                return value == null || value.isNull() ? "" : shown(column, value, reader);
                            })
                            .toList()));
        }
        var order = options.dates();
        var reading = options.durations();
        var likely = preview.durations();
        var mark = options.decimal();
        var headerRow = options.headerRow();
        var decimal = preview.decimal() == null && mark != null ? DecimalMark.POINT : preview.decimal();
        return new PreviewedImport(
                columns,
                lines,
                preview.lines(),
                preview.whole(),
                preview.asksOrder() || order != null,
                order == null ? "" : order.label(),
                Stream.of(DateOrder.values())
                        .map(each ->
                                new Filter.Choice(each.label(), reader.text("records.import-dates-" + each.label())))
                        .toList(),
                choices(
                        likely == null ? null : likely.label(),
                        Stream.of(DurationReading.values()).map(DurationReading::label),
                        "records.import-durations-",
                        reader),
                reading == null ? "" : reading.label(),
                choices(
                        decimal == null ? null : decimal.label(),
                        Stream.of(DecimalMark.values()).map(DecimalMark::label),
                        "records.import-decimal-",
                        reader),
                mark == null ? "" : mark.label(),
                options.format() == FileFormat.CSV || options.format() == FileFormat.XLSX,
                headerRow == null ? "" : headerRow.toString());
    }

    /**
     * What may be chosen, first what is likely.
     *
     * @param likely null where there is nothing to choose
     */
    private static List<Filter.Choice> choices(
            @Nullable String likely, Stream<String> labels, String key, Reader reader) {
        if (likely == null) {
            return List.of();
        }
        var recognised = reader.text("records.import-durations-likely", "reading", reader.text(key + likely));
        return Stream.concat(
                        Stream.of(new Filter.Choice("", recognised)),
                        labels.map(each -> new Filter.Choice(each, reader.text(key + each))))
                .toList();
    }

    private static String shown(ImportPreview.Column column, JsonNode value, Reader reader) {
        var text = value.isContainer() ? value.toString() : value.asString();
        var type = column.type();
        if (ValueType.DATE.label().equals(type)) {
            return FormValues.day(text).map(reader::date).orElse(text);
        }
        return ValueType.DATETIME.label().equals(type)
                ? FormValues.moment(text).map(reader::dateTime).orElse(text)
                : CellFormatter.cut(text);
    }
}
