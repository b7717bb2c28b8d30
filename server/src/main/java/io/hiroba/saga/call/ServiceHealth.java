package io.hiroba.saga.call;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.call.ServiceHealthStore.PermitUse;
import io.hiroba.saga.call.ServiceHealthStore.SlotCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls of services on this node and writes the counts every few seconds; tells those of all nodes. A node that dies loses
 * what it has not written, which is less than anybody looks at.
 */
public final class ServiceHealth implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration SLOT = Duration.ofMinutes(10);
    private static final int MAX_WAITING = 1000;
    private static final int MAX_WORKERS = 20;

    private final Db db;
    private final SagaRoles roles;
    private final UUID node = UUID.randomUUID();
    private final ServiceHealthStore store = new ServiceHealthStore();
    private final Map<SlotKey, Tally> tallies = new ConcurrentHashMap<>();
    private Instant swept = Instant.EPOCH;
    private @Nullable WorkLoop loop;

    ServiceHealth(Db db, SagaRoles roles) {
        this.db = db;
        this.roles = roles;
    }

    /** Begins to write. */
    public ServiceHealth open() {
        loop = WorkLoop.every(INTERVAL, "service health", this::write);
        return this;
    }

    private record SlotKey(String service, Instant slot) {}

    private static final class Tally {
        private int calls;
        private int failures;
        private final Latencies latencies = new Latencies();
        private @Nullable Text error;
        private @Nullable SagaId saga;
        private @Nullable Instant failedAt;
        private boolean isWritten;

        synchronized void add(StepCall call, @Nullable Text failure, Duration took, Instant now) {
            calls++;
            latencies.add(took);
            isWritten = false;
            if (failure != null) {
                failures++;
                error = failure;
                saga = call.saga();
                failedAt = now;
            }
        }

        synchronized Optional<SlotCalls> take(SlotKey key) {
            if (isWritten) {
                return Optional.empty();
            }
            isWritten = true;
            var reason = error == null ? null : StoredText.write(error);
            return Optional.of(new SlotCalls(
                    key.service(), key.slot(), calls, failures, latencies.counts(), reason, saga, failedAt, true));
        }

        synchronized void putBack() {
            isWritten = false;
        }
    }

    /** Counts a call that ended at {@code now}. */
    void record(StepCall call, StepOutcome outcome, Duration took, Instant now) {
        var failure = switch (outcome) {
            case StepOutcome.Done _, StepOutcome.Pending _ -> null;
            case StepOutcome.Failed failed -> failed.reason();
            case StepOutcome.TimedOut late -> late.reason();
        };
        long seconds = Math.floorDiv(now.getEpochSecond(), SLOT.toSeconds()) * SLOT.toSeconds();
        tallies.computeIfAbsent(new SlotKey(call.service(), Instant.ofEpochSecond(seconds)), _ -> new Tally())
                .add(call, failure, took, now);
    }

    /** By one at a time, so that no older count takes the place of a newer one. */
    private synchronized void write() {
        var taken = new ArrayList<SlotCalls>();
        tallies.forEach((key, tally) -> tally.take(key).ifPresent(taken::add));
        if (taken.isEmpty()) {
            return;
        }
        var newest = taken.stream().map(SlotCalls::slot).max(Instant::compareTo).orElseThrow();
        try {
            db.useTransaction(tx -> {
                taken.forEach(calls -> store.save(tx, node, calls));
                if (swept.isBefore(newest)) {
                    store.deleteOld(tx);
                }
            });
            swept = newest;
        } catch (RuntimeException e) {
            tallies.values().forEach(Tally::putBack);
            throw e;
        }
        // One that a call may still be added to is kept: made anew, it would take the place of what is written.
        tallies.keySet().removeIf(key -> key.slot().isBefore(newest.minus(SLOT)));
    }

    /**
     * Calls in a time.
     *
     * @param median empty where there was no call, as the 95th percentile
     */
    public record CallCounts(long calls, long failures, Optional<Duration> median, Optional<Duration> most) {

        private static CallCounts of(List<SlotCalls> slots) {
            var latencies = new Latencies();
            slots.forEach(each -> latencies.add(each.latencies()));
            return new CallCounts(
                    slots.stream().mapToLong(SlotCalls::calls).sum(),
                    slots.stream().mapToLong(SlotCalls::failures).sum(),
                    latencies.quantile(0.5),
                    latencies.quantile(0.95));
        }
    }

    /** The last call of a day that failed. */
    public record LastFailure(Text reason, @Nullable SagaId saga, Instant at) {}

    /**
     * The calls of a service on all nodes.
     *
     * @param used the permits that are in use, where calls are limited
     * @param waiting the sagas that wait for one, up to a limit
     */
    public record Health(CallCounts hour, CallCounts day, Optional<LastFailure> lastFailure, int used, int waiting) {}

    /** The health of these services, other nodes' as of some seconds ago. */
    public Map<String, Health> of(Caller caller, Collection<String> services) {
        roles.requireAuditor(caller);
        write();
        return db.read(reads -> {
            var slots = new HashMap<String, List<SlotCalls>>();
            store.lastDay(reads, services)
                    .forEach(each -> slots.computeIfAbsent(each.service(), _ -> new ArrayList<>())
                            .add(each));
            var permits = store.permits(reads, services, MAX_WAITING);
            var all = new HashMap<String, Health>();
            for (var service : services) {
                all.put(
                        service,
                        health(
                                slots.getOrDefault(service, List.of()),
                                permits.getOrDefault(service, new PermitUse(0, 0))));
            }
            return all;
        });
    }

    /** A worker that has asked for tasks, and how many it carries out. */
    public record SeenWorker(String name, Instant lastSeen, int running) {}

    /**
     * The tasks of a service that wait for a worker and that are carried out.
     *
     * @param workers the ones seen last, up to some
     */
    public record WorkerLoad(int waiting, int running, List<SeenWorker> workers) {

        public WorkerLoad {
            workers = List.copyOf(workers);
        }
    }

    /** The workers of these services and their tasks. */
    public Map<String, WorkerLoad> workers(Caller caller, Collection<String> services) {
        roles.requireAuditor(caller);
        return services.isEmpty() ? Map.of() : db.read(reads -> store.load(reads, services, MAX_WORKERS));
    }

    private static Health health(List<SlotCalls> day, PermitUse permits) {
        LastFailure last = null;
        for (var each : day) {
            var at = each.failedAt();
            if (at != null && each.error() != null && (last == null || at.isAfter(last.at()))) {
                last = new LastFailure(StoredText.read(each.error()), each.failedSaga(), at);
            }
        }
        var hour = day.stream().filter(SlotCalls::isRecent).toList();
        return new Health(
                CallCounts.of(hour), CallCounts.of(day), Optional.ofNullable(last), permits.used(), permits.waiting());
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
            write();
        }
    }
}
