package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
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
 * Publishes updates of sagas to their watchers on this node, at once where a signal comes and otherwise within a second, by one
 * statement for all watched sagas and none while there are no watchers.
 */
final class SagaWatches implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SagaWatches.class);
    static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final String TOPIC = "sagas";
    private static final Duration MAX_LIFETIME = Duration.ofMinutes(10);

    private final Db db;
    private final CommitSignal commits;
    private final SagaRoles roles;
    private final SagaUpdateStore store = new SagaUpdateStore();
    private final Map<SagaId, Set<SagaWatch>> watched = new ConcurrentHashMap<>();

    /** Sagas with changes that are not published yet. */
    private final Set<SagaId> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("saga watch updates").factory());
    private final Duration lifetime;
    private final Duration interval;
    private @Nullable WorkLoop polling;

    SagaWatches(Db db, SagaRoles roles, CommitSignal commits) {
        this(db, roles, commits, POLL_INTERVAL, MAX_LIFETIME);
    }

    /** @param lifetime the longest watch, after which the caller has to authenticate again */
    SagaWatches(Db db, SagaRoles roles, CommitSignal commits, Duration interval, Duration lifetime) {
        this.db = db;
        this.commits = commits;
        this.roles = roles;
        this.lifetime = lifetime;
        this.interval = interval;
        commits.listen(TOPIC, this::receive);
    }

    /** Starts polling for the changes of other nodes. */
    SagaWatches open() {
        polling = WorkLoop.every(interval, "saga watches", this::poll);
        return this;
    }

    /** A handle that ends a watch; after that its listener is not called. */
    public interface Handle extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Sends {@code listener} the state of the saga before this returns, and then every change until the saga ends.
     *
     * @param sent how many attempts the listener has already: those after them are sent first
     */
    public Handle watch(Caller caller, SagaId id, int sent, SagaListener listener) {
        var watch = new SagaWatch(caller, id, known(caller, id, sent), listener, lifetime);
        replay(watch);
        add(watch);
        try {
            publish(Set.of(id));
        } catch (RuntimeException e) {
            remove(watch);
            throw e;
        }
        return () -> {
            watch.close();
            remove(watch);
        };
    }

    /** Sends the attempts so far, outside the lock of {@link #publish}: there may be many, and other watchers do not wait. */
    private void replay(SagaWatch watch) {
        boolean more = true;
        while (more && !watch.isOver()) {
            var known = List.of(new Known(watch.saga(), null, watch.sent()));
            var state = db.read(reads -> store.changed(reads, known)).getOrDefault(watch.saga(), Optional.empty());
            if (state.isEmpty()) {
                watch.end();
                return;
            }
            var attempts = db.read(reads -> store.attempts(reads, known)).getOrDefault(watch.saga(), List.of());
            watch.offer(state.get(), watch.sent(), attempts);
            more = hasMore(attempts);
        }
    }

    private static boolean hasMore(List<StepLog> attempts) {
        return attempts.size() >= SagaUpdateStore.MAX_ATTEMPTS;
    }

    /** Checks the caller's role, and returns {@code sent} bounded by the number of attempts. */
    int known(Caller caller, SagaId id, int sent) {
        roles.requireAuditor(caller);
        int attempts = db.read(reads -> store.attempts(reads, id)).orElseThrow(SagaProblem::notFound);
        return Math.clamp(sent, 0, attempts);
    }

    /** Schedules the publication of a saga that this node has changed, on all nodes. Never blocks. */
    public void changed(SagaId id) {
        commits.raise(TOPIC, List.of(id.toString()));
    }

    private void receive(Set<String> keys) {
        if (keys.contains(CommitSignal.ANY)) {
            watched.keySet().forEach(this::schedule);
        } else {
            keys.forEach(key -> schedule(SagaId.parse(key)));
        }
    }

    private void schedule(SagaId id) {
        if (watched.containsKey(id) && changed.add(id) && scheduled.compareAndSet(false, true)) {
            try {
                executor.execute(this::publishChanged);
            } catch (RejectedExecutionException e) {
                log.debug("no update is published: the node stops", e);
            }
        }
    }

    void poll() {
        watched.values()
                .forEach(watches -> watches.forEach(watch -> {
                    watch.endIfExpired();
                    if (watch.isOver()) {
                        remove(watch);
                    }
                }));
        publish(Set.copyOf(watched.keySet()));
    }

    private void publishChanged() {
        // Before reading: a change that comes meanwhile schedules another run.
        scheduled.set(false);
        var ids = Set.copyOf(changed);
        changed.removeAll(ids);
        try {
            publish(ids);
        } catch (RuntimeException e) {
            log.warn("updates of sagas are published a second later", e);
        }
    }

    /** Synchronized, so that no watcher gets an older state after a newer one. */
    private synchronized void publish(Collection<SagaId> ids) {
        var watches = new HashMap<SagaId, List<SagaWatch>>();
        ids.forEach(id -> watches.put(id, List.copyOf(watched.getOrDefault(id, Set.of()))));
        watches.values().removeIf(List::isEmpty);
        var known = watches.values().stream().map(SagaWatches::common).toList();
        if (known.isEmpty()) {
            return;
        }
        // The states first, so that the state of an ended saga comes with all its attempts.
        var states = db.read(reads -> store.changed(reads, known));
        var more =
                known.stream().filter(each -> states.containsKey(each.saga())).toList();
        var attempts = more.isEmpty() ? Map.<SagaId, List<StepLog>>of() : db.read(reads -> store.attempts(reads, more));
        var affected = more.stream()
                .flatMap(each -> watches.getOrDefault(each.saga(), List.of()).stream())
                .toList();
        var allowed = affected.isEmpty() ? Set.<UserId>of() : allowed(affected);
        for (var each : more) {
            var state = states.getOrDefault(each.saga(), Optional.empty());
            var fresh = attempts.getOrDefault(each.saga(), List.of());
            for (var watch : watches.getOrDefault(each.saga(), List.of())) {
                if (state.isEmpty() || !allowed.contains(watch.caller().user())) {
                    watch.end();
                } else {
                    watch.offer(state.get(), each.sent(), fresh);
                }
                if (watch.isOver()) {
                    remove(watch);
                }
            }
            if (hasMore(fresh)) {
                schedule(each.saga());
            }
        }
    }

    /** The watching users that still have a role. */
    private Set<UserId> allowed(List<SagaWatch> watches) {
        var people = watches.stream().map(watch -> watch.caller().user()).collect(Collectors.toSet());
        return roles.current(people).keySet();
    }

    /** The part of the saga that all its watchers have seen. */
    private static Known common(List<SagaWatch> watches) {
        int sent = watches.stream().mapToInt(SagaWatch::sent).min().orElse(0);
        var seen = watches.getFirst().seen();
        boolean agree = watches.stream().allMatch(watch -> Objects.equals(watch.seen(), seen));
        return new Known(watches.getFirst().saga(), agree ? seen : null, sent);
    }

    private void add(SagaWatch watch) {
        watched.compute(watch.saga(), (id, watches) -> {
            var all = watches == null ? ConcurrentHashMap.<SagaWatch>newKeySet() : watches;
            all.add(watch);
            return all;
        });
    }

    private void remove(SagaWatch watch) {
        watched.computeIfPresent(watch.saga(), (id, watches) -> {
            watches.remove(watch);
            return watches.isEmpty() ? null : watches;
        });
    }

    @Override
    public void close() {
        if (polling != null) {
            polling.close();
        }
        executor.close();
    }
}
