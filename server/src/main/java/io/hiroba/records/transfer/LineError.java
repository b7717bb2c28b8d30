package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;

/**
 * An error in a line of a file.
 *
 * @param field the attribute or column; empty for the whole line
 */
public record LineError(long line, String field, Text message) {

    private static final int MAX_LENGTH = 300;

    /** Cleans and truncates names and the arguments of reasons, which may quote the file. */
    public LineError {
        field = Utf8.storable(field, MAX_LENGTH);
        message = Utf8.storable(message, MAX_LENGTH);
    }
}
