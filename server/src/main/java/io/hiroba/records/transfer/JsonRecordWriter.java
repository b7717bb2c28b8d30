package io.hiroba.records.transfer;

import io.hiroba.records.Documents;
import io.hiroba.records.query.QueryResult;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes records as JSON objects, one per line. */
final class JsonRecordWriter implements RecordWriter {

    private final Exports.Style style;
    private final OutputStream out;

    JsonRecordWriter(Exports.Style style, OutputStream out) {
        this.style = style;
        this.out = new BufferedOutputStream(out, 1 << 15);
    }

    @Override
    public void write(QueryResult page) throws IOException {
        for (var row : page.rows()) {
            var object = Documents.exact().createObjectNode();
            if (style.ids()) {
                object.put(ID, row.id().toString());
            }
            ExportFields.values(page, row).forEach((name, value) -> object.set(name, value.shown()));
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
