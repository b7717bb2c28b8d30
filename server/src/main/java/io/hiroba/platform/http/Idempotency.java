package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.IdempotencyStore.Lease;
import io.hiroba.platform.id.WorkerLease;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a creating POST repeatable: for 24 hours, a repeat with the same {@code Idempotency-Key} and the same request gets the
 * first answer, marked {@code Idempotency-Replayed: true}.
 *
 * <p>{@link #run} is exactly once. The key, the operation and the answer are committed in one transaction, so after a crash
 * either all of them are stored, and a repeat is answered from the row, or none is, and a repeat runs. A concurrent repeat
 * waits for the first transaction on the key's unique index, for a few seconds.
 *
 * <p>{@link #runOutside} is for operations that do not fit in a transaction. It leases the key before the operation and stores
 * the answer after it; if the node dies in between, a repeat runs again once that or the node's lease of a worker number is over: at
 * least once.
 *
 * <p>A failed operation stores nothing. Use neither for unauthenticated callers, of whom one could get another's answer, nor
 * where the answer holds a secret, which would be stored.
 */
public final class Idempotency {

    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final String MAX_WAIT = "5s";

    private final Db db;
    private final Clock clock;
    private final @Nullable UUID node;
    private final IdempotencyStore store = new IdempotencyStore();

    /** Of no node: what it is at belongs to it until the end of its lease, also when it is gone. */
    public Idempotency(Db db, Clock clock) {
        this(db, clock, null);
    }

    /** @param node as {@link WorkerLease#node} tells */
    public Idempotency(Db db, Clock clock, @Nullable UUID node) {
        this.db = db;
        this.clock = clock;
        this.node = node;
    }

    /** Runs {@code operation} in a transaction, once for each key, and sends its answer. */
    public void run(Context ctx, String caller, Function<Tx, Answer> operation) {
        run(ctx, caller, ctx.bodyAsBytes(), operation);
    }

    /**
     * As {@link #run(Context, String, Function)}, for a body with a secret in it, of which no hash may be stored: the
     * requests are compared by {@code fingerprint} instead.
     */
    public void run(Context ctx, String caller, byte[] fingerprint, Function<Tx, Answer> operation) {
        var key = IdempotencyKey.of(ctx, caller, fingerprint);
        if (key.isEmpty()) {
            db.inTransaction(operation).send(ctx);
            return;
        }
        try {
            db.inTransaction(tx -> inside(tx, key.get(), operation)).send(ctx);
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE) ? inProgress(ctx) : e;
        }
    }

    /**
     * Runs {@code operation} in a transaction, once for each form, and returns its answer. A form has a {@code key} of its own;
     * sent again unchanged it is a repeat, and changed it is another operation.
     */
    public Answer once(Context ctx, String caller, String key, Function<Tx, Answer> operation) {
        return once(ctx, caller, key, ctx.bodyAsBytes(), operation);
    }

    /** As above, for a multipart form: two are compared by {@code fingerprint} instead of the body. */
    public Answer once(Context ctx, String caller, String key, byte[] fingerprint, Function<Tx, Answer> operation) {
        if (key.isEmpty()) {
            return db.inTransaction(operation);
        }
        try {
            return db.inTransaction(tx -> inside(tx, IdempotencyKey.ofForm(ctx, caller, key, fingerprint), operation));
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE) ? inProgress(ctx) : e;
        }
    }

    /**
     * Runs {@code operation} in a transaction, once for each key and part, and returns its answer: a request that is too large for one
     * transaction has several.
     *
     * @param fingerprint of the part
     */
    public Answer oncePart(
            String caller, String key, int part, String target, byte[] fingerprint, Function<Tx, Answer> operation) {
        return once(IdempotencyKey.ofPart(caller, key, part, target, fingerprint), operation);
    }

    /**
     * Runs {@code operation} in a transaction, once for each key, and returns its answer, where the request did not come over
     * HTTP.
     *
     * @param target the operation: the same key for another one is refused
     */
    public Answer once(String caller, String key, String target, byte[] request, Function<Tx, Answer> operation) {
        return once(IdempotencyKey.of(caller, key, target, request), operation);
    }

    private Answer once(IdempotencyKey key, Function<Tx, Answer> operation) {
        try {
            return db.inTransaction(tx -> inside(tx, key, operation));
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE) ? HttpProblem.idempotencyInProgress() : e;
        }
    }

    /**
     * Whether the request has the key of one that was answered, so that it creates nothing. Its body may be another, and costs what
     * it costs to read: a throttle counts such repeats apart, but does count them.
     */
    public boolean isAnswered(Context ctx, String caller) {
        // By the key alone, so that a body need not be read yet.
        return IdempotencyKey.of(ctx, caller, new byte[0])
                .map(key -> db.read(reads -> store.isAnswered(reads, key)))
                .orElse(false);
    }

    /** Runs {@code operation}, which has its own transactions or calls other services, and sends its answer. */
    public void runOutside(Context ctx, String caller, Supplier<Answer> operation) {
        runOutside(ctx, caller, ctx.bodyAsBytes(), LEASE, operation);
    }

    /**
     * As above, for a body that is not held in memory: the requests are compared by {@code fingerprint} instead.
     *
     * @param lease the longest duration of the operation; after that a repeat runs it again
     */
    public void runOutside(Context ctx, String caller, byte[] fingerprint, Duration lease, Supplier<Answer> operation) {
        var key = IdempotencyKey.of(ctx, caller, fingerprint);
        if (key.isEmpty()) {
            operation.get().send(ctx);
            return;
        }
        long leaseId = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        var stored = db.inTransaction(tx -> {
            var now = clock.instant();
            return acquire(tx, key.get(), new Lease(leaseId, now.plus(lease), node), now, ctx);
        });
        if (stored.isPresent()) {
            stored.get().send(ctx);
            return;
        }
        Answer answer;
        try {
            answer = operation.get();
        } catch (RuntimeException | Error e) {
            db.useTransaction(tx -> store.release(tx, key.get(), leaseId));
            throw e;
        }
        db.useTransaction(tx -> store.complete(tx, key.get(), leaseId, answer));
        answer.send(ctx);
    }

    /** Deletes up to {@code max} expired answers; returns how many. */
    int sweep(int max) {
        return db.inTransaction(tx -> store.deleteOlderThan(tx, clock.instant().minus(RETENTION), max));
    }

    private Answer inside(Tx tx, IdempotencyKey key, Function<Tx, Answer> operation) {
        store.limitLockWait(tx, MAX_WAIT);
        boolean first = store.insert(tx, key, clock.instant());
        if (!first) {
            var row = store.lock(tx, key).orElseThrow(HttpProblem::idempotencyInProgress);
            key.requireSame(row.requestHash());
            if (row.answer() == null) {
                throw HttpProblem.idempotencyInProgress();
            }
            return replayed(row.answer());
        }
        store.limitLockWait(tx, "0");
        var answer = operation.apply(tx);
        store.complete(tx, key, 0, answer);
        return answer;
    }

    /** The stored answer; none if the key is now leased to this request. */
    private Optional<Answer> acquire(Tx tx, IdempotencyKey key, Lease lease, Instant now, Context ctx) {
        if (store.insert(tx, key, now)) {
            store.take(tx, key, lease);
            return Optional.empty();
        }
        var row = store.lock(tx, key).orElseThrow(() -> inProgress(ctx));
        key.requireSame(row.requestHash());
        if (row.answer() != null) {
            return Optional.of(replayed(row.answer()));
        }
        if (row.leasedUntil() != null && row.leasedUntil().isAfter(now) && !row.isOrphaned()) {
            throw inProgress(ctx);
        }
        store.take(tx, key, lease);
        return Optional.empty();
    }

    private static HttpProblem inProgress(Context ctx) {
        RetryAfter.set(ctx, Duration.ofSeconds(1));
        return HttpProblem.idempotencyInProgress();
    }

    private static Answer replayed(Answer answer) {
        var headers = new HashMap<>(answer.headers());
        headers.put("Idempotency-Replayed", "true");
        return new Answer(answer.status(), headers, answer.body());
    }
}
