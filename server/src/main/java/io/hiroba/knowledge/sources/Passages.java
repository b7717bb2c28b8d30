package io.hiroba.knowledge.sources;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Finds where in its source a chunk stands, so that a citation opens among what comes before and after it. */
public final class Passages {

    private final Db db;
    private final PassageStore store = new PassageStore();

    public Passages(Db db) {
        this.db = db;
    }

    /** The chunk's place among its source's, from 0; none if the caller may not read it, or a newer text has no such. */
    public Optional<Integer> position(Caller caller, SourceId source, ChunkId chunk) {
        return db.read(reads -> store.position(reads, caller, source, chunk));
    }
}
