package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.SagaUpdateStore.Known;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who watch sagas on this node what becomes of them: at once of what this node does, and within a second of
 * what others do, by one statement for all that are watched together and none while nobody watches.
 */
public final class SagaWatches implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SagaWatches.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    private final Db db;
    private final SagaRoles roles;
    private final SagaUpdateStore store = new SagaUpdateStore();
    private final Map<SagaId, Set<SagaWatch>> watched = new ConcurrentHashMap<>();

    /** What this node has changed and nobody has been told of yet. */
    private final Set<SagaId> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean woken = new AtomicBoolean();
    private final ExecutorService waker = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("saga watch updates").factory());
    private final Duration lifetime;
    private final Duration interval;
    private @Nullable WorkLoop polling;

    public SagaWatches(Db db, SagaRoles roles) {
        this(db, roles, PERIOD, LIFETIME);
    }

    /** @param lifetime how long a watch lasts, so that nobody watches on with a token that is revoked */
    SagaWatches(Db db, SagaRoles roles, Duration interval, Duration lifetime) {
        this.db = db;
        this.roles = roles;
        this.lifetime = lifetime;
        this.interval = interval;
    }

    /** Begins to look for the changes of other nodes. */
    SagaWatches open() {
        polling = WorkLoop.every(interval, "saga watches", this::look);
        return this;
    }

    /** A saga that is watched until this is closed; after that its listener is told nothing. */
    public interface Watching extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Tells {@code listener} where the saga stands, before this returns, and of every change, up to its end.
     *
     * @param told how many attempts are known already: those after them are told of first
     */
    public Watching watch(Caller caller, SagaId id, int told, SagaListener listener) {
        var watch = new SagaWatch(caller, id, known(caller, id, told), listener, lifetime);
        catchUp(watch);
        add(watch);
        try {
            tell(Set.of(id));
        } catch (RuntimeException e) {
            remove(watch);
            throw e;
        }
        return () -> {
            watch.close();
            remove(watch);
        };
    }

    /** Tells of what there is already, which may be much: those who watch other sagas do not wait for that. */
    private void catchUp(SagaWatch watch) {
        boolean more = true;
        while (more && !watch.isOver()) {
            var known = List.of(new Known(watch.saga(), null, watch.told()));
            var state = db.read(reads -> store.changed(reads, known)).getOrDefault(watch.saga(), Optional.empty());
            if (state.isEmpty()) {
                watch.end();
                return;
            }
            var attempts = db.read(reads -> store.attempts(reads, known)).getOrDefault(watch.saga(), List.of());
            watch.offer(state.get(), watch.told(), attempts);
            more = isPart(attempts);
        }
    }

    private static boolean isPart(List<StepLog> attempts) {
        return attempts.size() >= SagaUpdateStore.MOST;
    }

    /** Refuses whoever may not watch the saga, and answers how many of {@code told} attempts there can be. */
    int known(Caller caller, SagaId id, int told) {
        roles.requireAuditor(caller);
        int attempts = db.read(reads -> store.attempts(reads, id)).orElseThrow(SagaProblem::notFound);
        return Math.clamp(told, 0, attempts);
    }

    /** This node has changed the saga. Never waits. */
    public void changed(SagaId id) {
        if (watched.containsKey(id) && changed.add(id) && woken.compareAndSet(false, true)) {
            try {
                waker.execute(this::tellChanged);
            } catch (RejectedExecutionException e) {
                log.debug("Nobody is told any more: the node stops", e);
            }
        }
    }

    void look() {
        watched.values()
                .forEach(own -> own.forEach(watch -> {
                    watch.endIfExpired();
                    if (watch.isOver()) {
                        remove(watch);
                    }
                }));
        tell(Set.copyOf(watched.keySet()));
    }

    private void tellChanged() {
        // Before looking: a change that comes meanwhile wakes again.
        woken.set(false);
        var ids = Set.copyOf(changed);
        changed.removeAll(ids);
        try {
            tell(ids);
        } catch (RuntimeException e) {
            log.warn("Those who watch sagas are told a second later", e);
        }
    }

    /** One at a time, since a state that was read earlier must not be told later. */
    private synchronized void tell(Collection<SagaId> ids) {
        var watches = new HashMap<SagaId, List<SagaWatch>>();
        ids.forEach(id -> watches.put(id, List.copyOf(watched.getOrDefault(id, Set.of()))));
        watches.values().removeIf(List::isEmpty);
        var known = watches.values().stream().map(SagaWatches::least).toList();
        if (known.isEmpty()) {
            return;
        }
        // The states first: one in which a saga has ended then comes with all its attempts.
        var states = db.read(reads -> store.changed(reads, known));
        var more =
                known.stream().filter(each -> states.containsKey(each.saga())).toList();
        var attempts = more.isEmpty() ? Map.<SagaId, List<StepLog>>of() : db.read(reads -> store.attempts(reads, more));
        var concerned = more.stream()
                .flatMap(each -> watches.getOrDefault(each.saga(), List.of()).stream())
                .toList();
        var allowed = concerned.isEmpty() ? Set.<UserId>of() : allowed(concerned);
        for (var each : more) {
            var state = states.getOrDefault(each.saga(), Optional.empty());
            var fresh = attempts.getOrDefault(each.saga(), List.of());
            for (var watch : watches.getOrDefault(each.saga(), List.of())) {
                if (state.isEmpty() || !allowed.contains(watch.caller().user())) {
                    watch.end();
                } else {
                    watch.offer(state.get(), each.told(), fresh);
                }
                if (watch.isOver()) {
                    remove(watch);
                }
            }
            if (isPart(fresh)) {
                changed(each.saga());
            }
        }
    }

    /** Those among the ones who watch that still have a role. */
    private Set<UserId> allowed(List<SagaWatch> watches) {
        var people = watches.stream().map(watch -> watch.caller().user()).collect(Collectors.toSet());
        return roles.now(people).keySet();
    }

    /** What everybody who watches the saga knows of it. */
    private static Known least(List<SagaWatch> watches) {
        int told = watches.stream().mapToInt(SagaWatch::told).min().orElse(0);
        var seen = watches.getFirst().seen();
        boolean agree = watches.stream().allMatch(watch -> Objects.equals(watch.seen(), seen));
        return new Known(watches.getFirst().saga(), agree ? seen : null, told);
    }

    private void add(SagaWatch watch) {
        watched.compute(watch.saga(), (id, own) -> {
            var more = own == null ? ConcurrentHashMap.<SagaWatch>newKeySet() : own;
            more.add(watch);
            return more;
        });
    }

    private void remove(SagaWatch watch) {
        watched.computeIfPresent(watch.saga(), (id, own) -> {
            own.remove(watch);
            return own.isEmpty() ? null : own;
        });
    }

    @Override
    public void close() {
        if (polling != null) {
            polling.close();
        }
        waker.close();
    }
}
