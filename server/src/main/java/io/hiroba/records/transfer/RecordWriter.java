package io.hiroba.records.transfer;

import io.hiroba.records.query.Found;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/** Writes records in a format. */
interface RecordWriter extends Closeable {

    /** Where the records' ids go. */
    String ID = "_id";

    /** Writes the rows of {@code page}. */
    void write(Found page) throws IOException;

    static RecordWriter of(Exports.Style style, Fields fields, OutputStream out) throws IOException {
        return switch (style.format()) {
            case CSV -> new CsvRecords(style, fields, out);
            case JSONL -> new JsonRecords(style, out);
        };
    }
}
