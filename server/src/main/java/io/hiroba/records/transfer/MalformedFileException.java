package io.hiroba.records.transfer;

/** A file that cannot be read after some line. */
final class MalformedFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long line;

    MalformedFileException(long line, String message) {
        super(new LineError(line, "", message).message(), null, false, false);
        this.line = line;
    }

    LineError error() {
        return new LineError(line, "", String.valueOf(getMessage()));
    }
}
