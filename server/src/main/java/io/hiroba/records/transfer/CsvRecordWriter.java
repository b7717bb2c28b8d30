package io.hiroba.records.transfer;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.transfer.ExportFields.Value;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes records as CSV with a header line. */
final class CsvRecordWriter implements RecordWriter {

    private final Exports.Style style;
    private final Map<String, String> names;
    private final CsvWriter csv;

    CsvRecordWriter(Exports.Style style, ExportFields fields, OutputStream out) {
        this.style = style;
        this.names = fields.names();
        this.csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.LF)
                .bufferSize(1 << 15)
                .build(out);
        var header = new ArrayList<String>();
        if (style.ids()) {
            header.add(ID);
        }
        header.addAll(names.values());
        csv.writeRecord(header);
    }

    @Override
    public void write(QueryResult page, Map<String, String> called) throws IOException {
        for (var row : page.rows()) {
            var values = ExportFields.values(page, row, called);
            var cells = new ArrayList<String>(names.size() + 1);
            if (style.ids()) {
                cells.add(row.id().toString());
            }
            names.keySet().forEach(key -> cells.add(cell(values.get(key))));
            csv.writeRecord(cells);
        }
        // Flushed per page, to notice a client that disconnected.
        csv.flush();
    }

    private String cell(@Nullable Value value) {
        if (value == null) {
            return "";
        }
        return switch (value.type()) {
            case NUMERIC -> value.shown().decimalValue().toPlainString();
            case DATE, DATETIME, BOOL -> value.shown().asString("");
            case TEXT -> safe(value.shown().stringValue());
            case JSONB -> safe(value.shown().toString());
            case MULTI_SELECT -> safe(ExportFields.list(value.shown()));
        };
    }

    private String safe(String text) {
        return style.raw() ? text : FormulaEscape.escape(text);
    }

    @Override
    public void close() throws IOException {
        csv.close();
    }
}
