package io.hiroba.records.transfer;

import io.hiroba.accounts.UserId;
import io.hiroba.records.ProjectId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An import of a file into a schema.
 *
 * @param source what the sender knows the file by
 * @param size how large the file is, if the sender said so
 * @param received how much of it is here
 * @param progress how far it is read
 * @param failure why it came to nothing
 */
public record Import(
        ImportId id,
        ProjectId project,
        String schema,
        UserId by,
        ImportOptions options,
        String source,
        ImportState state,
        @Nullable Long size,
        long received,
        Progress progress,
        @Nullable String failure,
        @Nullable Instant endedAt) {

    /**
     * The progress of reading a file.
     *
     * @param position records of the file that were read, good or not
     * @param line the last line of those
     * @param bytes about how many bytes that is
     * @param rows records that were written
     * @param errors lines that were at fault
     */
    public record Progress(long position, long line, long bytes, long rows, long errors) {}

    /** How much of the file is read, from 0 to 100. */
    public int percent() {
        if (state == ImportState.DONE) {
            return 100;
        }
        return received == 0 ? 0 : (int) Math.min(99, progress.bytes() * 100 / received);
    }
}
