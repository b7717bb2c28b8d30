package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.SourceWriteStore.ChunkRow;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes sources and their chunks as part of the caller's transaction. */
public final class SourceWriter {

    /** The chunks per statement: more would hold memory for long and might exceed the statement timeout. */
    private static final int BATCH_SIZE = 500;

    private final IdGenerator ids;
    private final Clock clock;
    private final Runnable written;
    private final SourceWriteStore store = new SourceWriteStore();

    public SourceWriter(IdGenerator ids, Clock clock) {
        this(ids, clock, () -> {});
    }

    /** @param written called after each commit of new chunks */
    public SourceWriter(IdGenerator ids, Clock clock, Runnable written) {
        this.ids = ids;
        this.clock = clock;
        this.written = written;
    }

    /**
     * Creates a source. Empty if its owner has one of the same origin or content already, which {@link #find} returns.
     * Concurrent creations wait for one another here.
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

    /** The owner's source of that origin or, failing that, of that content. */
    public Optional<SourceId> find(Tx tx, NewSource source) {
        return store.find(tx, source);
    }

    /**
     * Replaces the chunks of a source that the caller has locked. Chunks with unchanged content keep their vectors, unless
     * the title is another; only their position is updated. Returns the number of new chunks.
     */
    public int replace(Tx tx, SourceId id, NewSource source, List<NewChunk> chunks) {
        boolean isRetitled = !store.title(tx, id).equals(source.title());
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
        if (isRetitled) {
            embedAgain(tx, id);
        }
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

    /** Puts a source that the caller has locked into a collection, which then decides who may read it, or takes it out of one. */
    public void setCollection(Tx tx, SourceId id, @Nullable CollectionId collection) {
        store.setCollection(tx, id, collection, clock.instant());
        var slices = slices(store.chunkIds(tx, id));
        slices.forEach(slice -> store.setChunksCollection(tx, id, slice, collection));
        for (int space : store.spaces(tx)) {
            slices.forEach(slice -> store.setVectorsCollection(tx, space, id, slice, collection));
        }
    }

    /** A chunk is embedded with the title of its source; the vector of before is found until the new one is written. */
    private void embedAgain(Tx tx, SourceId id) {
        store.embedAgain(tx, id);
        tx.afterCommit(written);
    }

    /** Changes the title of a source that the caller has locked, and the search terms and vectors of its chunks. */
    public void rename(Tx tx, SourceId id, String title) {
        if (!store.title(tx, id).equals(title)) {
            embedAgain(tx, id);
        }
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

    /**
     * Removes the link to the deleted original of a source in Hiroba; the source and its chunks then link to the source
     * itself.
     */
    public void unlink(Tx tx, SourceId id) {
        store.unlink(tx, id, clock.instant());
    }

    /** Deletes the owner's source of that origin, if it exists. */
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

    static <T> List<List<T>> slices(List<T> all) {
        return IntStream.iterate(0, from -> from < all.size(), from -> from + BATCH_SIZE)
                .mapToObj(from -> all.subList(from, Math.min(all.size(), from + BATCH_SIZE)))
                .toList();
    }
}
