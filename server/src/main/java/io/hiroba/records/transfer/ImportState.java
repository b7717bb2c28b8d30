package io.hiroba.records.transfer;

import java.util.Locale;

/** The state of an import. */
public enum ImportState {
    /** The file is being uploaded, or waits to be started. */
    UPLOADING,
    /** A node imports it, or will soon. */
    RUNNING,
    /** The whole file was imported. */
    DONE,
    /** It failed; what was written until then stays. */
    FAILED,
    /** It was cancelled; what was written until then stays. */
    CANCELLED;

    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
