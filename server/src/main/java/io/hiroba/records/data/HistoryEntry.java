package io.hiroba.records.data;

import io.hiroba.accounts.UserId;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * One thing that was done to a record.
 *
 * @param version the version that it led to
 */
public record HistoryEntry(int version, Act act, Instant at, UserId by, List<Delta> changes) {

    public HistoryEntry {
        changes = List.copyOf(changes);
    }

    /** What became of one value; a JSON null where there was or is none. */
    public record Delta(String attribute, JsonNode from, JsonNode to) {}

    /** What was done. */
    public enum Act {
        CREATED,
        CHANGED,
        DELETED,
        /** A record that had been deleted was brought back. */
        RESTORED
    }
}
