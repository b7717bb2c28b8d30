package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes a creating POST repeatable: a repeat with the same {@code Idempotency-Key} and the same request gets the first
 * answer again, marked {@code Idempotency-Replayed: true}, for 24 hours.
 *
 * <p>{@link #run} is exact. The key, the act and the answer are committed in one transaction, so after a crash at any
 * moment either all of them are there, and a repeat is answered from the row, or none is, and a repeat acts. A
 * concurrent repeat waits for the first transaction on the key's unique index, for a few seconds.
 *
 * <p>{@link #runOutside} is for acts that do not fit in a transaction. It takes the key for a while before the act and
 * stores the answer after it; if the node dies between, a repeat acts again once that while is over: at least once.
 *
 * <p>A failed act stores nothing. Never use either where the caller is not authenticated, or one stranger could be
 * given another's answer, nor where the answer holds a secret, which would be stored.
 */
public final class Idempotency {

    private static final Duration KEPT = Duration.ofHours(24);
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final String MAX_WAIT = "5s";

    private final Db db;
    private final Clock clock;
    private final IdempotencyStore store = new IdempotencyStore();

    public Idempotency(Db db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Runs {@code act} in a transaction, once for each key, and sends its answer. */
    public void run(Context ctx, String caller, Function<Tx, Answer> act) {
        run(ctx, caller, ctx.bodyAsBytes(), act);
    }

    /**
     * As {@link #run(Context, String, Function)}, for a body with a secret in it, of which no hash may be stored: the
     * requests are told apart by {@code fingerprint} instead.
     */
    public void run(Context ctx, String caller, byte[] fingerprint, Function<Tx, Answer> act) {
        var key = IdempotencyKey.of(ctx, caller, fingerprint);
        if (key.isEmpty()) {
            db.inTransaction(act).send(ctx);
            return;
        }
        try {
            db.inTransaction(tx -> inside(tx, key.get(), act)).send(ctx);
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE) ? inProgress(ctx) : e;
        }
    }

    /**
     * Runs {@code act} in a transaction, once for each form that was sent, and returns its answer. A form carries a
     * {@code key} of its own; sent a second time unchanged, nothing more happens, and changed, it is another act.
     */
    public Answer once(Context ctx, String caller, String key, Function<Tx, Answer> act) {
        return once(ctx, caller, key, ctx.bodyAsBytes(), act);
    }

    /** As above, for a form that comes in parts: two are told apart by {@code fingerprint} instead of the body. */
    public Answer once(Context ctx, String caller, String key, byte[] fingerprint, Function<Tx, Answer> act) {
        if (key.isEmpty()) {
            return db.inTransaction(act);
        }
        try {
            return db.inTransaction(tx -> inside(tx, IdempotencyKey.ofForm(ctx, caller, key, fingerprint), act));
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE) ? inProgress(ctx) : e;
        }
    }

    /**
     * Runs {@code act} in a transaction, once for each key, and returns its answer, where the request did not come over
     * HTTP.
     *
     * @param target which act it is: the same key for another one is refused
     */
    public Answer once(String caller, String key, String target, byte[] request, Function<Tx, Answer> act) {
        try {
            return db.inTransaction(tx -> inside(tx, IdempotencyKey.of(caller, key, target, request), act));
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE) ? HttpProblem.idempotencyInProgress() : e;
        }
    }

    /** Whether the request is a repeat of one that was answered: then it is no new act, and not to be counted as one. */
    public boolean isAnswered(Context ctx, String caller) {
        // By the key alone, so that a body need not be read yet.
        return IdempotencyKey.of(ctx, caller, new byte[0])
                .map(key -> db.read(reads -> store.isAnswered(reads, key)))
                .orElse(false);
    }

    /** Runs {@code act}, which makes its own transactions or calls others, and sends its answer. */
    public void runOutside(Context ctx, String caller, Supplier<Answer> act) {
        runOutside(ctx, caller, ctx.bodyAsBytes(), LEASE, act);
    }

    /**
     * As above, for a body that is not held in memory: the requests are told apart by {@code fingerprint} instead.
     *
     * @param longest what the act takes at most; after that a repeat takes it for dead
     */
    public void runOutside(Context ctx, String caller, byte[] fingerprint, Duration longest, Supplier<Answer> act) {
        var key = IdempotencyKey.of(ctx, caller, fingerprint);
        if (key.isEmpty()) {
            act.get().send(ctx);
            return;
        }
        long lease = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        var stored = db.inTransaction(tx -> take(tx, key.get(), lease, longest, ctx));
        if (stored.isPresent()) {
            stored.get().send(ctx);
            return;
        }
        Answer answer;
        try {
            answer = act.get();
        } catch (RuntimeException | Error e) {
            db.useTransaction(tx -> store.release(tx, key.get(), lease));
            throw e;
        }
        db.useTransaction(tx -> store.complete(tx, key.get(), lease, answer));
        answer.send(ctx);
    }

    /** Removes up to {@code most} answers that are past their time; answers how many. */
    int sweep(int most) {
        return db.inTransaction(tx -> store.deleteOlderThan(tx, clock.instant().minus(KEPT), most));
    }

    private Answer inside(Tx tx, IdempotencyKey key, Function<Tx, Answer> act) {
        store.limitLockWait(tx, MAX_WAIT);
        boolean first = store.insert(tx, key, clock.instant(), 0, null);
        if (!first) {
            var row = store.lock(tx, key).orElseThrow(HttpProblem::idempotencyInProgress);
            key.requireSame(row.requestHash());
            if (row.answer() == null) {
                throw HttpProblem.idempotencyInProgress();
            }
            return replayed(row.answer());
        }
        store.limitLockWait(tx, "0");
        var answer = act.apply(tx);
        store.complete(tx, key, 0, answer);
        return answer;
    }

    /** The stored answer, or none once the key is ours until the lease ends. */
    private Optional<Answer> take(Tx tx, IdempotencyKey key, long lease, Duration longest, Context ctx) {
        var now = clock.instant();
        if (store.insert(tx, key, now, lease, now.plus(longest))) {
            return Optional.empty();
        }
        var row = store.lock(tx, key).orElseThrow(() -> inProgress(ctx));
        key.requireSame(row.requestHash());
        if (row.answer() != null) {
            return Optional.of(replayed(row.answer()));
        }
        if (row.leasedUntil() != null && row.leasedUntil().isAfter(now)) {
            throw inProgress(ctx);
        }
        store.takeOver(tx, key, lease, now.plus(longest));
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
