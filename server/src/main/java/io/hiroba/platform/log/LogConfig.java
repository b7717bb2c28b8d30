package io.hiroba.platform.log;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

/** The form and the room of logs. */
public record LogConfig(
        @Default("text")
        @Doc(
                "The form of the server's log: `text`, or `json` for an object a line. The log of requests is always JSON.")
        Format format,

        @Default("info") @Doc("The least level that is logged: `error`, `warn`, `info` or `debug`.")
        Level level,

        @Default("10MB")
        @Doc(
                "The size of a log file from which on another is begun: of the server's, of requests' and of the embedded PostgreSQL's."
                        + " `start.log` is emptied at this size.")
        ByteSize fileSize,

        @Default("5") @Doc("The files of each log that are kept, with the one that is written to.")
        int files) {

    /** The form of a line. */
    public enum Format {
        TEXT,
        JSON
    }

    /** The least level that is logged. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG
    }

    private static final long SMALLEST = 64 << 10;

    public LogConfig {
        if (fileSize.bytes() < SMALLEST) {
            throw new IllegalArgumentException("file-size must be 64KB at least");
        }
        if (files < 2 || files > 20) {
            throw new IllegalArgumentException("files must be between 2 and 20, not " + files);
        }
    }
}
