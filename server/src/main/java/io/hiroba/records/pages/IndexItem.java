package io.hiroba.records.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.records.tuning.IndexState;
import io.hiroba.records.tuning.Indexes;
import io.hiroba.records.tuning.StoredIndex;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An index of a project in a list.
 *
 * @param about what it is for: the schema and the attributes
 * @param effect what it gains, as it was measured
 */
public record IndexItem(
        String name,
        String about,
        String state,
        String stateClass,
        String reason,
        String use,
        @Nullable String effect,
        @Nullable String failure,
        boolean isOver) {

    static IndexItem of(StoredIndex index, Indexes indexes, ReaderClock when) {
        var effect = index.effect();
        var usedAt = index.usedAt();
        return new IndexItem(
                index.name(),
                about(index, indexes),
                switch (index.state()) {
                    case WANTED -> "waiting to be made";
                    case BUILDING -> "being made";
                    case READY -> "in use";
                    case FAILED -> "could not be made";
                    case DROPPING -> "going";
                },
                index.state().name().toLowerCase(Locale.ROOT),
                index.reason(),
                "%s, used %,d times%s"
                        .formatted(
                                size(index.bytes()), index.scans(), usedAt == null ? "" : ", last " + when.ago(usedAt)),
                effect == null
                        ? null
                        : String.format(
                                Locale.ROOT,
                                "A page takes %.2f ms, and took %.2f ms without it.",
                                effect.indexMillis(),
                                effect.walkMillis()),
                index.failure(),
                index.state() == IndexState.DROPPING);
    }

    private static String about(StoredIndex index, Indexes indexes) {
        var schema = indexes.schemaName(index.tables(), index.schema());
        var order = indexes.attributeName(index.tables(), index.schema(), index.order());
        var equality = index.equality();
        return equality == null
                ? schema + " by " + order
                : "%s by %s where %s is the same"
                        .formatted(schema, order, indexes.attributeName(index.tables(), index.schema(), equality));
    }

    private static String size(long bytes) {
        if (bytes < 1 << 20) {
            return "%,d kB".formatted((bytes + 1023) >> 10);
        }
        return "%,d MB".formatted(bytes >> 20);
    }
}
