package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceWriteStore.ChunkRow;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Writes sources and their chunks as part of the caller's transaction. */
public final class SourceWriter {

    /** A statement with more would hold the transaction's memory for long, and might not be done in its time. */
    private static final int BATCH_SIZE = 500;

    private final IdGenerator ids;
    private final Clock clock;
    private final Runnable written;
    private final SourceWriteStore store = new SourceWriteStore();

    public SourceWriter(IdGenerator ids, Clock clock) {
        this(ids, clock, () -> {});
    }

    /** @param written what is run after each commit of new chunks */
    public SourceWriter(IdGenerator ids, Clock clock, Runnable written) {
        this.ids = ids;
        this.clock = clock;
        this.written = written;
    }

    /**
     * Makes a source. None if its owner has one of that origin or content already: {@link #find} tells which. Two who try
     * at once wait for one another here.
     */
    public Optional<SourceId> create(Tx tx, NewSource source, List<NewChunk> chunks) {
        var id = new SourceId(ids.next());
        if (!store.insert(tx, id, source, chunks.size(), clock.instant())) {
            return Optional.empty();
        }
        insert(
                tx,
                id,
                IntStream.range(0, chunks.size())
                        .mapToObj(i -> placed(i, chunks.get(i)))
                        .toList());
        return Optional.of(id);
    }

    /** The owner's source of that origin or, if there is none of it, of that content. */
    public Optional<SourceId> find(Tx tx, NewSource source) {
        return store.find(tx, source);
    }

    /**
     * Gives a source, which the caller has locked, other chunks. Those that say what an old one said keep its vector; only
     * their place is written anew. The answer is how many are new.
     */
    public int replace(Tx tx, SourceId id, NewSource source, List<NewChunk> chunks) {
        var known = store.chunks(tx, id);
        var fresh = new ArrayList<ChunkRow>();
        var kept = new ArrayList<ChunkRow>();
        for (int i = 0; i < chunks.size(); i++) {
            var same = known.getOrDefault(chunks.get(i).hash(), new ArrayList<>());
            if (same.isEmpty()) {
                fresh.add(placed(i, chunks.get(i)));
            } else {
                kept.add(new ChunkRow(same.removeFirst(), i, chunks.get(i)));
            }
        }
        store.delete(tx, id, known.values().stream().flatMap(List::stream).toList());
        store.update(tx, id, source, chunks.size(), clock.instant());
        slices(kept).forEach(slice -> store.move(tx, id, slice));
        insert(tx, id, fresh);
        return fresh.size();
    }

    /** Makes the source public or private. */
    public void setPublic(Tx tx, SourceId id, boolean isPublic) {
        store.setPublic(tx, id, isPublic, clock.instant());
        var slices = slices(store.chunkIds(tx, id));
        slices.forEach(slice -> store.setChunksPublic(tx, id, slice, isPublic));
        for (int space : store.spaces(tx)) {
            slices.forEach(slice -> store.setVectorsPublic(tx, space, id, slice, isPublic));
        }
    }

    /** Gives a source, which the caller has locked, another title, by whose words its chunks are found then. */
    public void rename(Tx tx, SourceId id, String title) {
        store.rename(tx, id, title, clock.instant());
        for (int after = -1; after != Integer.MAX_VALUE; ) {
            var chunks = store.texts(tx, id, after, BATCH_SIZE);
            store.move(
                    tx, id, chunks.stream().map(chunk -> chunk.retitled(title)).toList());
            after = chunks.size() < BATCH_SIZE
                    ? Integer.MAX_VALUE
                    : chunks.getLast().position();
        }
    }

    /** Forgets where in Hiroba a source came from, since nothing is there any more; it and its chunks lead to itself. */
    public void unlink(Tx tx, SourceId id) {
        store.unlink(tx, id, clock.instant());
    }

    /** Deletes the source of that origin, if the owner has one. */
    public boolean delete(Tx tx, UserId owner, String origin) {
        return store.delete(tx, owner, origin);
    }

    private ChunkRow placed(int position, NewChunk chunk) {
        return new ChunkRow(new ChunkId(ids.next()), position, chunk);
    }

    private void insert(Tx tx, SourceId id, List<ChunkRow> chunks) {
        slices(chunks).forEach(slice -> store.insert(tx, id, slice, clock.instant()));
        if (!chunks.isEmpty()) {
            tx.afterCommit(written);
        }
    }

    private static <T> List<List<T>> slices(List<T> all) {
        return IntStream.iterate(0, from -> from < all.size(), from -> from + BATCH_SIZE)
                .mapToObj(from -> all.subList(from, Math.min(all.size(), from + BATCH_SIZE)))
                .toList();
    }
}
