package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Space.Model;
import io.hiroba.knowledge.embedding.Space.State;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The spaces there are: the one that is searched, and perhaps one that is to take its place. */
public final class Spaces {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Db db;
    private final SpaceStore store = new SpaceStore();
    private volatile Optional<Space> active = Optional.empty();

    public Spaces(Db db) {
        this.db = db;
    }

    /**
     * Makes sure that there is a space of {@code wanted}: the active one if there was none, else one that is built to take
     * the place of the active one. Another one that was being built is given up.
     */
    public void prepare(Model wanted) {
        db.useTransaction(tx -> {
            store.lock(tx);
            var spaces = store.living(tx);
            if (spaces.stream().anyMatch(space -> space.model().equals(wanted) && space.state() == State.ACTIVE)) {
                building(spaces).ifPresent(space -> retire(tx, space));
            } else if (building(spaces)
                    .filter(space -> space.model().equals(wanted))
                    .isEmpty()) {
                building(spaces).ifPresent(space -> retire(tx, space));
                store.make(tx, wanted, spaces.isEmpty() ? State.ACTIVE : State.BUILDING);
            }
        });
        forget();
    }

    private void retire(Tx tx, Space space) {
        store.keepOut(tx, PATIENCE);
        store.retire(tx, space);
    }

    private static Optional<Space> building(List<Space> spaces) {
        return spaces.stream().filter(space -> space.state() == State.BUILDING).findFirst();
    }

    /** The space that is searched, as this node knows it: {@link #forget} has it asked for again. */
    public Space active() {
        return active.orElseGet(() -> refresh().stream()
                .filter(space -> space.state() == State.ACTIVE)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No space has been prepared")));
    }

    /** As {@link #living}, remembering which is the active one. */
    List<Space> refresh() {
        var living = living();
        active = living.stream().filter(space -> space.state() == State.ACTIVE).findFirst();
        return living;
    }

    /** All spaces that chunks are embedded in. */
    public List<Space> living() {
        return db.read(store::living);
    }

    /** To be called when the active space's table is gone: another node has switched. */
    public void forget() {
        active = Optional.empty();
    }
}
