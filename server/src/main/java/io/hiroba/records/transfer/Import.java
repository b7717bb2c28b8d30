package io.hiroba.records.transfer;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An import of a file into a schema.
 *
 * @param schemaId the id of the schema, which its name may not lead to any more; null before the import creates it
 * @param source the client's identifier of the file
 * @param size the size of the file, if known
 * @param received the bytes uploaded so far
 * @param progress the progress of the import
 * @param failure the reason of a failure
 */
public record Import(
        ImportId id,
        ProjectId project,
        String schema,
        @Nullable Short schemaId,
        UserId by,
        ImportOptions options,
        String source,
        ImportState state,
        @Nullable Long size,
        long received,
        Progress progress,
        @Nullable Text failure,
        @Nullable Instant endedAt) {

    /**
     * The progress of an import.
     *
     * @param position the number of records read
     * @param line the last line read
     * @param bytes the approximate number of bytes read
     * @param rows the number of records written
     * @param errors the number of invalid lines
     */
    public record Progress(long position, long line, long bytes, long rows, long errors) {}

    /** What the schema is found by: its id, as its name may lead to another one by now. */
    String schemaKey() {
        return schemaId == null ? schema : schemaId.toString();
    }

    /** The progress in percent. */
    public int percent() {
        if (state == ImportState.DONE) {
            return 100;
        }
        return received == 0 ? 0 : (int) Math.min(99, progress.bytes() * 100 / received);
    }
}
