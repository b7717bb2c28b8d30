package io.hiroba.records.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.records.transfer.Import;
import io.hiroba.records.transfer.ImportState;
import org.jspecify.annotations.Nullable;

/** An import in a list and on its page. */
public record ImportItem(
        String id,
        String path,
        String schema,
        String source,
        ImportState state,
        String stateLabel,
        int percent,
        String rows,
        String errors,
        long bytes,
        @Nullable Long size,
        @Nullable String failure,
        boolean skipsErrors,
        String when) {

    static ImportItem of(Import found, ReaderClock when) {
        return new ImportItem(
                found.id().hex(),
                Paths.part(found.project(), "imports/" + found.id().hex()),
                found.schema(),
                found.source().isEmpty() ? "a file" : found.source(),
                found.state(),
                switch (found.state()) {
                    case UPLOADING -> isHere(found) ? "to be started" : "coming in";
                    case RUNNING -> "under way";
                    case DONE -> "done";
                    case FAILED -> "failed";
                    case CANCELLED -> "cancelled";
                },
                found.percent(),
                "%,d".formatted(found.progress().rows()),
                "%,d".formatted(found.progress().errors()),
                found.received(),
                found.size(),
                found.failure(),
                found.options().skipErrors(),
                when.ago(found.id().createdAt()));
    }

    /** Whether all of the file is here. */
    static boolean isHere(Import found) {
        var size = found.size();
        return found.received() > 0 && (size == null || size == found.received());
    }

    public boolean isWaiting() {
        return state == ImportState.UPLOADING;
    }

    public boolean isRunning() {
        return state == ImportState.RUNNING;
    }
}
