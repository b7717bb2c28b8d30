package io.hiroba.saga.call;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.Services.ServiceLimits;
import io.hiroba.saga.call.StepCaller.Permit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the limits of services on all nodes together. The permits are rows: a saga takes one before it calls and gives it back
 * afterwards; that of a node which died ends when its call would have. Who finds none waits in the order of coming, as a row
 * and without a thread.
 */
final class CallLimits {

    private static final Logger log = LoggerFactory.getLogger(CallLimits.class);

    /** The time beyond a call's timeout for what is done around it. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    /** The waiters that are looked at beyond those that could go before. */
    private static final int MORE_WAITERS = 20;

    private static final Duration MIN_WAIT = Duration.ofMillis(20);
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);
    private static final int MAX_RANK = 2000;
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration POLL_A_WAITER = Duration.ofMillis(50);

    private final Db db;
    private final CallLimitStore store = new CallLimitStore();

    CallLimits(Db db) {
        this.db = db;
    }

    /** Takes the permits of so many calls of each service; the services are in one order for all, so that none waits crosswise. */
    Permit acquire(SagaId saga, SortedMap<String, Integer> calls, Duration timeout) {
        var taken = new HashMap<String, Instant>();
        var wait = db.inTransaction(tx -> acquire(tx, saga, calls, timeout, taken));
        return wait.isPresent()
                ? new Permit(wait.get(), () -> false)
                : new Permit(null, () -> release(saga, calls, taken));
    }

    /** The limits of a service that has room for so many calls. */
    private record Room(String service, int calls, ServiceLimits limits) {}

    /**
     * Nothing is taken before there is room everywhere: a rate that was spent cannot be given back.
     *
     * @param taken receives the permits that it takes, by service
     */
    private Optional<Duration> acquire(
            Tx tx, SagaId saga, SortedMap<String, Integer> calls, Duration timeout, Map<String, Instant> taken) {
        var rooms = new ArrayList<Room>();
        for (var each : calls.entrySet()) {
            var locked = store.lock(tx, each.getKey()).orElse(null);
            if (locked == null) {
                continue;
            }
            var wait = ask(tx, saga, each.getKey(), each.getValue(), locked);
            if (wait.isPresent()) {
                return wait;
            }
            rooms.add(new Room(each.getKey(), each.getValue(), locked.limits()));
        }
        rooms.forEach(room -> take(tx, saga, room, timeout, taken));
        return Optional.empty();
    }

    private void take(Tx tx, SagaId saga, Room room, Duration timeout, Map<String, Instant> taken) {
        if (room.limits().maxConcurrent() != null) {
            taken.put(room.service(), store.permit(tx, room.service(), saga, room.calls(), timeout.plus(MARGIN)));
        }
        if (room.limits().ratePerSecond() != null) {
            store.spend(tx, room.service(), room.calls());
        }
    }

    /** Leaves the line of a service where there is room, and stands in it otherwise; then how long to wait is returned. */
    private Optional<Duration> ask(Tx tx, SagaId saga, String service, int wanted, CallLimitStore.LockedLimits locked) {
        var max = locked.limits().maxConcurrent();
        var rate = locked.limits().ratePerSecond();
        int free = max == null ? Integer.MAX_VALUE : max - store.running(tx, service, saga);
        double tokens = rate == null ? Double.MAX_VALUE : locked.tokens();
        // More at once than there may ever be are made all the same, when there are no others.
        int needed = max == null ? wanted : Math.min(wanted, max);
        double spent = rate == null ? wanted : Math.min(wanted, Math.max(1, rate.doubleValue()));
        int ahead = ahead(tx, saga, service, (int) Math.min(Math.max(free, 0), Math.max(tokens, 0)));
        if ((long) ahead + needed <= free && ahead + spent <= tokens) {
            store.stopWaiting(tx, service, List.of(saga));
            return Optional.empty();
        }
        store.await(tx, service, saga);
        // Whoever gives a permit back wakes the first in the line; the others ask the less often the farther back they
        // are.
        int rank = store.rank(tx, service, saga, MAX_RANK);
        var wait = (long) ahead + needed <= free ? Duration.ZERO : POLL.plus(POLL_A_WAITER.multipliedBy(rank));
        if (rate != null && ahead + spent > tokens) {
            long millis = (long) (Math.max(0, rank + spent - tokens) / rate.doubleValue() * 1000);
            wait = longer(wait, Duration.ofMillis(millis));
        }
        return Optional.of(longer(MIN_WAIT, wait.compareTo(MAX_WAIT) < 0 ? wait : MAX_WAIT));
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    /** The number of those that came before, as far as it matters; those that have stopped to wait are forgotten. */
    private int ahead(Tx tx, SagaId saga, String service, int couldGo) {
        int ahead = 0;
        var gone = new ArrayList<SagaId>();
        for (var waiter : store.waiters(tx, service, couldGo > 1000 ? 1000 : couldGo + MORE_WAITERS)) {
            if (waiter.saga().equals(saga)) {
                break;
            } else if (waiter.isLive()) {
                ahead++;
            } else {
                gone.add(waiter.saga());
            }
        }
        if (!gone.isEmpty()) {
            store.stopWaiting(tx, service, gone);
        }
        return ahead;
    }

    /**
     * A permit that cannot be given back ends by itself. That of a node which took the saga over meanwhile is not this one's to give
     * back.
     */
    private boolean release(SagaId saga, Map<String, Integer> calls, Map<String, Instant> taken) {
        try {
            return db.inTransaction(tx -> {
                boolean woken = false;
                for (var each : calls.entrySet()) {
                    var until = taken.get(each.getKey());
                    if (until != null) {
                        store.release(tx, each.getKey(), saga, until);
                    }
                    woken |= store.wakeNext(tx, each.getKey(), each.getValue());
                }
                return woken;
            });
        } catch (DbException e) {
            log.warn("the permits of saga {} were not given back", saga, e);
            return false;
        }
    }
}
