package io.hiroba.records.pages;

import io.hiroba.records.transfer.FileFormat;

/** Finds out the format of rows that were pasted: copied from a spreadsheet, CSV, or JSON lines. */
final class PastedRows {

    private PastedRows() {}

    static FileFormat format(String rows) {
        return rows.stripLeading().startsWith("{") ? FileFormat.JSONL : FileFormat.CSV;
    }

    /** The delimiter, by the first row; without any in it, one that is in no cell. */
    static String delimiter(String rows) {
        int tabs = 0;
        int commas = 0;
        int semicolons = 0;
        boolean quoted = false;
        for (int i = 0; i < rows.length(); i++) {
            char c = rows.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == '\n' || c == '\r')) {
                break;
            } else if (!quoted) {
                tabs += c == '\t' ? 1 : 0;
                commas += c == ',' ? 1 : 0;
                semicolons += c == ';' ? 1 : 0;
            }
        }
        return tabs > 0 || commas + semicolons == 0 ? "\t" : semicolons > commas ? ";" : ",";
    }
}
