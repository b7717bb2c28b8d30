package io.hiroba.records.transfer;

import io.hiroba.records.Documents;
import io.hiroba.records.query.QueryResult;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Writes records as JSON objects, one per line. */
final class JsonRecordWriter implements RecordWriter {

    private final Exports.Style style;
    private final Map<String, String> names;
    private final OutputStream out;

    JsonRecordWriter(Exports.Style style, ExportFields fields, OutputStream out) {
        this.style = style;
        this.names = fields.names();
        this.out = new BufferedOutputStream(out, 1 << 15);
    }

    @Override
    public void write(QueryResult page, Map<String, String> called) throws IOException {
        for (var row : page.rows()) {
            var object = Documents.exact().createObjectNode();
            if (style.ids()) {
                object.put(ID, row.id().toString());
            }
            // An attribute that was added meanwhile is left out, as in CSV.
            var values = ExportFields.values(page, row, called);
            names.forEach((key, name) -> {
                var value = values.get(key);
                if (value != null) {
                    object.set(name, value.shown());
                }
            });
            out.write(Documents.exact().writeValueAsBytes(object));
            out.write('\n');
        }
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
