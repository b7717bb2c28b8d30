package io.hiroba.records.transfer;

/**
 * An error in a line of a file.
 *
 * @param field the attribute or column at fault; empty where it is the line as a whole
 */
public record LineError(long line, String field, String message) {

    private static final int MAX_LENGTH = 300;

    /** Names and reasons may quote the file, which may hold anything, of any length. */
    public LineError {
        field = Utf8.storable(field, MAX_LENGTH);
        message = Utf8.storable(message, MAX_LENGTH);
    }
}
