package io.hiroba.records.transfer;

import java.util.Locale;

/** The state of an import. */
public enum ImportState {
    /** Its file is coming, or waits to be started. */
    UPLOADING,
    /** A node reads it and writes records, or will do so shortly. */
    RUNNING,
    /** All of it was read. */
    DONE,
    /** It ended early; what was written until then stays. */
    FAILED,
    /** Somebody ended it; what was written until then stays. */
    CANCELLED;

    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
