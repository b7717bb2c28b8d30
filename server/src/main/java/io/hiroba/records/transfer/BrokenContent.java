package io.hiroba.records.transfer;

/** A file of which nothing more can be made after some line. */
final class BrokenContent extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long line;

    BrokenContent(long line, String message) {
        super(new LineError(line, "", message).message(), null, false, false);
        this.line = line;
    }

    LineError error() {
        return new LineError(line, "", String.valueOf(getMessage()));
    }
}
