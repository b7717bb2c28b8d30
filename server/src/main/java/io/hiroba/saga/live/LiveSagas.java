package io.hiroba.saga.live;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.Background;
import io.hiroba.saga.Role;
import io.hiroba.saga.Roles;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.live.SagaNewsStore.Known;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who watch sagas on this node what becomes of them: at once of what this node does, and within a second of
 * what others do, by one statement for all that are watched together and none while nobody watches.
 */
public final class LiveSagas implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LiveSagas.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Db db;
    private final Roles roles;
    private final SagaNewsStore store = new SagaNewsStore();
    private final Map<SagaId, Set<Watch>> watched = new ConcurrentHashMap<>();

    /** What this node has changed and nobody has been told of yet. */
    private final Set<SagaId> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean woken = new AtomicBoolean();
    private final ExecutorService waker = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("live sagas, awake").factory());
    private final Background looks;

    public LiveSagas(Db db, Roles roles) {
        this(db, roles, PERIOD);
    }

    LiveSagas(Db db, Roles roles, Duration period) {
        this.db = db;
        this.roles = roles;
        this.looks = Background.every(period, "live sagas", this::look);
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
        var watch = new Watch(caller, id, known(caller, id, told), listener);
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
        var known = new ArrayList<Known>();
        ids.forEach(id -> least(id).ifPresent(known::add));
        if (known.isEmpty()) {
            return;
        }
        // The states first: one in which a saga has ended then comes with all its attempts.
        var states = db.read(reads -> store.changed(reads, known));
        var more =
                known.stream().filter(each -> states.containsKey(each.saga())).toList();
        var attempts = more.isEmpty() ? Map.<SagaId, List<StepLog>>of() : db.read(reads -> store.attempts(reads, more));
        for (var each : more) {
            var state = states.getOrDefault(each.saga(), Optional.empty());
            tell(each, state, attempts.getOrDefault(each.saga(), List.of()));
        }
    }

    private void tell(Known known, Optional<Saga> state, List<StepLog> attempts) {
        for (var watch : of(known.saga())) {
            if (state.isEmpty() || roles.of(watch.caller()) == Role.NONE) {
                watch.end();
            } else {
                watch.offer(state.get(), known.told(), attempts);
            }
            if (watch.isOver()) {
                remove(watch);
            }
        }
    }

    /** What everybody who watches the saga knows of it; nothing if nobody does. */
    private Optional<Known> least(SagaId id) {
        var watches = List.copyOf(of(id));
        if (watches.isEmpty()) {
            return Optional.empty();
        }
        int told = watches.stream().mapToInt(Watch::told).min().orElse(0);
        var seen = watches.getFirst().seen();
        boolean agree = watches.stream().allMatch(watch -> Objects.equals(watch.seen(), seen));
        return Optional.of(new Known(id, agree ? seen : null, told));
    }

    private Set<Watch> of(SagaId id) {
        return watched.getOrDefault(id, Set.of());
    }

    private void add(Watch watch) {
        watched.compute(watch.saga(), (id, own) -> {
            var more = own == null ? ConcurrentHashMap.<Watch>newKeySet() : own;
            more.add(watch);
            return more;
        });
    }

    private void remove(Watch watch) {
        watched.computeIfPresent(watch.saga(), (id, own) -> {
            own.remove(watch);
            return own.isEmpty() ? null : own;
        });
    }

    @Override
    public void close() {
        looks.close();
        waker.close();
    }
}
