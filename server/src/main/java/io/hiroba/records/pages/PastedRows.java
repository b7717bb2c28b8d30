package io.hiroba.records.pages;

import io.hiroba.records.transfer.CsvDelimiter;
import io.hiroba.records.transfer.FileFormat;

/** Finds out the format of rows that were pasted: copied from a spreadsheet, CSV, or JSON lines. */
final class PastedRows {

    private PastedRows() {}

    static FileFormat format(String rows) {
        return rows.stripLeading().startsWith("{") ? FileFormat.JSONL : FileFormat.CSV;
    }

    /** The delimiter, by the first row; without any in it, one that is in no cell. */
    static String delimiter(String rows) {
        return String.valueOf(CsvDelimiter.ofFirst(rows, '\t'));
    }
}
