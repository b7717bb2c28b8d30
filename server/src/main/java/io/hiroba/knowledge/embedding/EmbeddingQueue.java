package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingQueueStore.DeadLettered;
import io.hiroba.knowledge.embedding.EmbeddingSpace.State;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
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
 * The queue of chunks to embed and the outcome of claims. Each call is a transaction; it changes nothing of a claim
 * that has passed to another worker, or of chunks that were deleted.
 */
final class EmbeddingQueue {

    private final Db db;
    private final IdGenerator ids;
    private final EventLog events;
    private final EmbeddingConfig config;
    private final EmbeddingQueueStore store = new EmbeddingQueueStore();

    EmbeddingQueue(Db db, IdGenerator ids, EventLog events, EmbeddingConfig config) {
        this.db = db;
        this.ids = ids;
        this.events = events;
        this.config = config;
    }

    /** The outcome of failed chunks. */
    record Failed(int postponed, int dead) {}

    Optional<Claim> claim(EmbeddingSpace space, int batch) {
        var id = UUID.randomUUID();
        var lease = config.lease(space.model());
        var chunks = db.inTransaction(tx -> store.claim(tx, space, id, batch, config.maxRetry(), lease));
        return chunks.isEmpty() ? Optional.empty() : Optional.of(new Claim(id, space, chunks));
    }

    boolean hasDue(EmbeddingSpace space) {
        return db.read(reads -> store.hasDue(reads, space));
    }

    /** Renews the lease and returns the number of chunks that are still claimed. */
    int renew(Claim claim) {
        var lease = config.lease(claim.space().model());
        return db.inTransaction(tx -> store.lockSources(tx, claim).isPresent() ? store.renew(tx, claim, lease) : 0);
    }

    /** Whether chunks of a space became dead letters for this fault within {@code time}. */
    boolean hasDeadLettersSince(EmbeddingSpace space, Fault fault, Duration time) {
        return db.read(reads -> store.hasDeadLettersSince(reads, space, fault, time));
    }

    /** Writes the vectors, in the order of the chunks, and returns how many were written. */
    int done(Claim claim, List<float[]> vectors) {
        int dimensions = claim.space().model().dimensions();
        var flat = new float[vectors.size() * dimensions];
        for (int i = 0; i < vectors.size(); i++) {
            System.arraycopy(vectors.get(i), 0, flat, i * dimensions, dimensions);
        }
        return db.inTransaction(tx -> store.lockSources(tx, claim).isPresent() ? store.write(tx, claim, flat) : 0);
    }

    /** Makes the chunks due again after {@code wait}, without counting a retry. */
    void release(Claim claim, Duration wait) {
        db.useTransaction(tx -> store.lockSources(tx, claim).ifPresent(state -> store.release(tx, claim, wait)));
    }

    /** Makes the chunks due again after their backoff, or dead letters after the last retry. */
    Failed fail(Claim claim, Fault fault) {
        if (claim.retries() >= config.maxRetry()) {
            return new Failed(0, deadLetter(claim, fault));
        }
        var wait = config.backoff(claim.retries());
        int postponed =
                db.inTransaction(tx -> store.lockSources(tx, claim).isPresent() ? store.postpone(tx, claim, wait) : 0);
        return new Failed(postponed, 0);
    }

    /** Moves the chunks to the dead letters and notifies their owners. Returns how many. */
    int deadLetter(Claim claim, Fault fault) {
        return db.inTransaction(tx -> {
            var state = store.lockSources(tx, claim);
            if (state.isEmpty()) {
                return 0;
            }
            var fresh = claim.chunks().stream().map(chunk -> ids.next()).toList();
            var deadLettered = store.deadLetter(tx, claim, fresh, fault);
            // Failures in a space that is not active yet are reported when it becomes active (SpaceSwitch).
            if (state.get() == State.ACTIVE) {
                appendEvents(tx, deadLettered, fault);
            }
            return deadLettered.size();
        });
    }

    private void appendEvents(Tx tx, List<DeadLettered> deadLettered, Fault fault) {
        var counts = new LinkedHashMap<DeadLettered, Long>();
        deadLettered.forEach(one -> counts.merge(one, 1L, Long::sum));
        events.append(
                tx,
                counts.entrySet().stream()
                        // Of what is nobody's, nobody is told: admins have a list of all.
                        .filter(entry -> entry.getKey().owner().value() != 0)
                        .map(entry -> dead(entry.getKey(), fault.name(), entry.getValue()))
                        .toList());
    }

    static NewEvent dead(DeadLettered source, String code, long chunks) {
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
