package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Records that are deleted or changed because they match a condition, many at once.
 *
 * @param undoes the one that is undone; null for the others
 * @param condition as in queries; null for all records
 * @param changes the values that records get, by the names of attributes; null if they get none
 * @param failure the reason why it failed
 */
public record BulkEdit(
        long id,
        ProjectId project,
        short schema,
        Operation operation,
        @Nullable Long undoes,
        @Nullable JsonNode condition,
        @Nullable JsonNode changes,
        State state,
        Progress progress,
        @Nullable Text failure,
        UserId by,
        Instant createdAt,
        @Nullable Instant endedAt) {

    /** How long it can be undone after its end. */
    public static final Duration UNDOABLE_FOR = Duration.ofDays(1);

    /** The kind of write. */
    public enum Operation {
        DELETE,
        UPDATE,
        UNDO
    }

    /** The state of a bulk edit. */
    public enum State {
        RUNNING,
        DONE,
        STOPPED,
        FAILED
    }

    /** A record that was not written. */
    public record Refusal(String row, Text reason) {}

    /**
     * The progress of a bulk edit.
     *
     * @param total how many records matched when it was started
     * @param refusals the first of those that were refused
     * @param newest the bound above which records came later
     * @param position the last record that was taken
     * @param inPass how many were written since it went through the records from the newest
     */
    public record Progress(
            long total, long written, long refused, List<Refusal> refusals, UUID newest, UUID position, long inPass) {

        public Progress {
            refusals = List.copyOf(refusals);
        }

        /** At its start. */
        static Progress of(long total, UUID newest) {
            return new Progress(total, 0, 0, List.of(), newest, newest, 0);
        }
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Whether it can be undone at that time, if it was not yet. */
    public boolean isUndoable(Instant now) {
        var end = endedAt;
        return operation != Operation.UNDO
                && progress.written() > 0
                && end != null
                && now.isBefore(end.plus(UNDOABLE_FOR));
    }
}
