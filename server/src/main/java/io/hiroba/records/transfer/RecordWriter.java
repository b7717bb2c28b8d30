package io.hiroba.records.transfer;

import io.hiroba.records.query.QueryResult;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Writes records in a format. */
interface RecordWriter extends Closeable {

    /** The name of the column of record ids. */
    String ID = "_id";

    /**
     * Writes the rows of {@code page}.
     *
     * @param called what the ids in it are called; empty where that is not asked for
     */
    void write(QueryResult page, Map<String, String> called) throws IOException;

    /**
     * Begins a file of records.
     *
     * @param schema the name of their schema
     */
    static RecordWriter of(Exports.Style style, String schema, ExportFields fields, OutputStream out)
            throws IOException {
        return switch (style.format()) {
            case CSV -> new CsvRecordWriter(style, fields, out);
            case JSONL -> new JsonRecordWriter(style, fields, out);
            case PARQUET -> new ParquetRecordWriter(style, fields, out);
            case XLSX -> new XlsxRecordWriter(style, schema, fields, out, XlsxRecordWriter.MAX_ROWS);
        };
    }
}
