package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.EmbeddingSpace.State;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The embedding spaces: the active one, and at most one that is being built to replace it. */
public final class EmbeddingSpaces {

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(20);

    private final Db db;
    private final SpaceStore store = new SpaceStore();
    private volatile Optional<EmbeddingSpace> active = Optional.empty();

    public EmbeddingSpaces(Db db) {
        this.db = db;
    }

    Db db() {
        return db;
    }

    /**
     * Ensures a space of {@code model}: the active one if there was none, else one that is built to replace it.
     * Another one that is being built is retired.
     */
    public void prepare(Model model) {
        prepareUnless(model, model);
    }

    /** As {@link #prepare}, but does nothing where a space of {@code better} is there already. */
    void prepareUnless(Model better, Model model) {
        db.useTransaction(tx -> {
            store.lock(tx);
            var spaces = store.unretired(tx);
            if (!better.equals(model)
                    && spaces.stream().anyMatch(space -> space.model().equals(better))) {
                return;
            }
            if (spaces.stream().anyMatch(space -> space.model().equals(model) && space.state() == State.ACTIVE)) {
                building(spaces).ifPresent(space -> retire(tx, space));
            } else if (building(spaces)
                    .filter(space -> space.model().equals(model))
                    .isEmpty()) {
                building(spaces).ifPresent(space -> retire(tx, space));
                store.make(tx, model, spaces.isEmpty() ? State.ACTIVE : State.BUILDING);
            }
        });
        invalidate();
    }

    private void retire(Tx tx, EmbeddingSpace space) {
        store.lockTable(tx, LOCK_TIMEOUT);
        store.retire(tx, space);
    }

    private static Optional<EmbeddingSpace> building(List<EmbeddingSpace> spaces) {
        return spaces.stream().filter(space -> space.state() == State.BUILDING).findFirst();
    }

    /** The cached active space; {@link #invalidate} refreshes it. */
    public EmbeddingSpace active() {
        return active.orElseGet(() -> refresh().stream()
                .filter(space -> space.state() == State.ACTIVE)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No space has been prepared")));
    }

    /** As {@link #unretired}, and caches the active one. */
    List<EmbeddingSpace> refresh() {
        var unretired = unretired();
        active = unretired.stream()
                .filter(space -> space.state() == State.ACTIVE)
                .findFirst();
        return unretired;
    }

    /** The spaces that chunks are embedded in. */
    public List<EmbeddingSpace> unretired() {
        return db.read(store::unretired);
    }

    /** Called when the active space's table is gone: another node has switched. */
    public void invalidate() {
        active = Optional.empty();
    }
}
