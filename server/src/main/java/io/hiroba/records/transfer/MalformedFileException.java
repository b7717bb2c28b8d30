package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;

/** A file that cannot be read after some line. */
final class MalformedFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient LineError error;

    MalformedFileException(long line, Text message) {
        super(null, null, false, false);
        this.error = new LineError(line, "", message);
    }

    LineError error() {
        return error;
    }

    /** In English, for logs. */
    @Override
    public String getMessage() {
        return error.message().toString();
    }
}
