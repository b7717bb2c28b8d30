package io.hiroba.records.transfer;

import java.io.IOException;
import java.io.Reader;
import java.util.regex.Pattern;

/** Finds out what stands between the cells of CSV. */
public final class CsvDelimiter {

    /** The option of an import that leaves it to the file. */
    public static final String FOUND_OUT = "";

    private static final int BEGINNING = 1 << 16;

    /** A first line that is for spreadsheets and no record. */
    private static final Pattern SAID = Pattern.compile("sep=([^\"\r\n])(?:\r\n|\r|\n)", Pattern.CASE_INSENSITIVE);

    private CsvDelimiter() {}

    /**
     * The delimiter that a file says or shows.
     *
     * @param lines the lines before the names of its columns, which were passed over
     */
    record Found(char delimiter, int lines) {}

    /**
     * Finds out the delimiter of {@code csv}, which is read up to the names of its columns.
     *
     * @param csv supports marks
     * @param chosen the one of the options, which holds unless the file says another in a first line such as {@code sep=;}
     */
    static Found of(Reader csv, String chosen) throws IOException {
        csv.mark(BEGINNING);
        var beginning = new char[BEGINNING];
        int length = 0;
        for (int count = 0; count >= 0 && length < BEGINNING; count = csv.read(beginning, length, BEGINNING - length)) {
            length += count;
        }
        csv.reset();
        var text = new String(beginning, 0, length);
        var said = SAID.matcher(text);
        if (said.lookingAt()) {
            for (int i = 0; i < said.end(); i++) {
                csv.read();
            }
            return new Found(said.group(1).charAt(0), 1);
        }
        return new Found(chosen.isEmpty() ? ofFirst(text, ',') : chosen.charAt(0), 0);
    }

    /**
     * The delimiter by the first row: a tab, else the more frequent of comma and semicolon.
     *
     * @param otherwise the one of a row without any
     */
    public static char ofFirst(String rows, char otherwise) {
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
        if (commas + semicolons + tabs == 0) {
            return otherwise;
        }
        return tabs > 0 ? '\t' : semicolons > commas ? ';' : ',';
    }
}
