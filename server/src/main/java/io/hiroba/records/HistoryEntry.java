package io.hiroba.records;

import io.hiroba.accounts.UserId;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * An entry in the history of a record.
 *
 * @param version the version after the change
 */
public record HistoryEntry(int version, Operation operation, Instant at, UserId by, List<Delta> changes) {

    public HistoryEntry {
        changes = List.copyOf(changes);
    }

    /** A changed value; JSON null for a missing one. */
    public record Delta(String attribute, JsonNode from, JsonNode to) {}

    /** The kind of a change. */
    public enum Operation {
        CREATED,
        CHANGED,
        DELETED,
        /** A deleted record was restored. */
        RESTORED
    }
}
