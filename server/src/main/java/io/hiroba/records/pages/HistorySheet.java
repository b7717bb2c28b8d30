package io.hiroba.records.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a record, the newest first.
 *
 * @param more where older changes are, if there are any
 */
public record HistorySheet(
        ProjectHead project,
        String schema,
        String schemaPath,
        String path,
        String title,
        List<Change> changes,
        @Nullable String more) {

    public HistorySheet {
        changes = List.copyOf(changes);
    }

    /**
     * One change.
     *
     * @param by the nickname of who made it; none for somebody who left
     * @param did what they did, in words
     * @param restore where this version can be had back; none for the one that is
     */
    public record Change(
            int version,
            @Nullable String by,
            String byId,
            String did,
            String when,
            String exact,
            boolean isMaking,
            List<Difference> differences,
            @Nullable String restore) {

        public Change {
            differences = List.copyOf(differences);
        }
    }

    /** An attribute that was changed. */
    public record Difference(String attribute, String from, String to) {}
}
