package io.hiroba.embedded;

/**
 * The room of a log that rotates.
 *
 * @param fileSize the bytes of a file from which on another is begun
 * @param files the files that are kept, with the one that is written to
 */
public record LogLimits(long fileSize, int files) {

    static final LogLimits DEFAULT = new LogLimits(10 << 20, 5);

    /** PostgreSQL counts the size of its files in steps of this many bytes. */
    private static final int STEP = 1024;

    public LogLimits {
        if (fileSize < STEP || files < 1) {
            throw new IllegalArgumentException("a log has files of 1 KB at least");
        }
    }

    /** The size as a setting of PostgreSQL. */
    String rotationSize() {
        return fileSize / STEP + "kB";
    }
}
