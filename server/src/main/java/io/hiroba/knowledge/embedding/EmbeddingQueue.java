package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.embedding.QueueStore.Buried;
import io.hiroba.knowledge.embedding.Space.State;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.IdGenerator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Chunks that wait for their vectors, and what becomes of those that are claimed. Each call is a transaction; what it
 * writes about a claim that is another's by now, or about chunks that are gone, is nothing.
 */
public final class EmbeddingQueue {

    private final Db db;
    private final IdGenerator ids;
    private final EventLog events;
    private final EmbeddingConfig config;
    private final QueueStore store = new QueueStore();

    public EmbeddingQueue(Db db, IdGenerator ids, EventLog events, EmbeddingConfig config) {
        this.db = db;
        this.ids = ids;
        this.events = events;
        this.config = config;
    }

    /** What became of chunks that failed. */
    record Failed(int postponed, int dead) {}

    Optional<Claim> claim(Space space, int batch) {
        var id = UUID.randomUUID();
        var lease = config.lease(space.model());
        var chunks = db.inTransaction(tx -> store.claim(tx, space, id, batch, config.maxRetry(), lease));
        return chunks.isEmpty() ? Optional.empty() : Optional.of(new Claim(id, space, chunks));
    }

    boolean hasDue(Space space) {
        return db.read(reads -> store.hasDue(reads, space));
    }

    /** Begins the lease anew. The answer is how many of the chunks are still claimed. */
    int renew(Claim claim) {
        var lease = config.lease(claim.space().model());
        return db.inTransaction(tx -> store.hold(tx, claim).isPresent() ? store.renew(tx, claim, lease) : 0);
    }

    /** Whether chunks of a space became dead letters for this fault within {@code time}. */
    boolean hasDeadSince(Space space, Fault fault, Duration time) {
        return db.read(reads -> store.hasDeadSince(reads, space, fault, time));
    }

    /** Writes the vectors, in the order of the chunks. The answer is how many were written. */
    int done(Claim claim, List<float[]> vectors) {
        int dimensions = claim.space().model().dimensions();
        var flat = new float[vectors.size() * dimensions];
        for (int i = 0; i < vectors.size(); i++) {
            System.arraycopy(vectors.get(i), 0, flat, i * dimensions, dimensions);
        }
        return db.inTransaction(tx -> store.hold(tx, claim).isPresent() ? store.write(tx, claim, flat) : 0);
    }

    /** The chunks are due again after {@code wait}, as if nobody had tried. */
    void giveBack(Claim claim, Duration wait) {
        db.useTransaction(tx -> store.hold(tx, claim).ifPresent(state -> store.giveBack(tx, claim, wait)));
    }

    /** The chunks are due again after their backoff, or dead letters if that was their last try. */
    Failed fail(Claim claim, Fault fault) {
        if (claim.retries() >= config.maxRetry()) {
            return new Failed(0, bury(claim, fault));
        }
        var wait = config.backoff(claim.retries());
        int postponed = db.inTransaction(tx -> store.hold(tx, claim).isPresent() ? store.postpone(tx, claim, wait) : 0);
        return new Failed(postponed, 0);
    }

    /** Makes dead letters of the chunks, and tells their owners. The answer is how many there are. */
    int bury(Claim claim, Fault fault) {
        return db.inTransaction(tx -> {
            var state = store.hold(tx, claim);
            if (state.isEmpty()) {
                return 0;
            }
            var fresh = claim.chunks().stream().map(chunk -> ids.next()).toList();
            var buried = store.bury(tx, claim, fresh, fault);
            // What fails in a space that nobody searches yet is told when it is searched (SpaceSwitch).
            if (state.get() == State.ACTIVE) {
                tell(tx, buried, fault);
            }
            return buried.size();
        });
    }

    private void tell(Tx tx, List<Buried> buried, Fault fault) {
        var counts = new LinkedHashMap<Buried, Long>();
        buried.forEach(one -> counts.merge(one, 1L, Long::sum));
        events.append(
                tx,
                counts.entrySet().stream()
                        .map(entry -> dead(entry.getKey(), fault.name(), entry.getValue()))
                        .toList());
    }

    static NewEvent dead(Buried source, String code, long chunks) {
        return NewEvent.of(source.owner().value(), "knowledge-dead")
                .with("sourceId", source.source().hex())
                .with("title", source.title())
                .with("errorCode", code)
                .with("chunks", chunks);
    }

    long waiting() {
        return db.read(store::waiting);
    }
}
