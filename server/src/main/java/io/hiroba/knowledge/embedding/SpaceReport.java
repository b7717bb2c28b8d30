package io.hiroba.knowledge.embedding;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How far a space is: how many chunks there are, and how many of them wait or are dead in it. */
record SpaceReport(
        Space space,
        long chunks,
        long waiting,
        long dead,
        Instant createdAt,
        @Nullable Instant activatedAt) {

    long embedded() {
        return Math.max(0, chunks - waiting - dead);
    }
}
