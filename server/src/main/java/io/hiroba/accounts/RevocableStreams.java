package io.hiroba.accounts;

import io.hiroba.accounts.Caller.BySession;
import io.hiroba.accounts.Caller.ByToken;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.live.Listeners;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open streams of this node by the people behind them. One whose session or token is no longer valid is ended as soon as
 * any node signals a revocation; also one that was opened with a caller who was cached (ADR 65). One whose session or token runs
 * out ends then.
 */
final class RevocableStreams implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RevocableStreams.class);

    /** The database rounds times to microseconds. */
    private static final int ROUNDING_MS = 5;

    private final Db db;
    private final InstantSource clock;
    private final SessionStore sessions = new SessionStore();
    private final TokenStore tokens = new TokenStore();
    private final Listeners<String, OpenStream> streams =
            new Listeners<>("revoked streams", (people, changed) -> endInvalid(people));

    /** Has callers looked at again when their sessions and tokens run out, of which no node signals anything. */
    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(
            1, Thread.ofVirtual().name("expired streams").factory());

    /** The user of a valid session or token, and its end; {@link Instant#MAX} if it has none. */
    record ValidUntil(UserId user, Instant end) {}

    /** A stream, with the timer at the end of its session or token as far as that is known: uses put off that of a session. */
    private final class OpenStream {

        private final Caller caller;
        private final Runnable end;
        private @Nullable Future<?> timer;
        private boolean isOver;

        OpenStream(Caller caller, Runnable end) {
            this.caller = caller;
            this.end = end;
        }

        synchronized void checkAt(Instant moment) {
            cancel();
            if (!isOver && !moment.equals(Instant.MAX)) {
                long delay = Math.max(clock.instant().until(moment, ChronoUnit.MILLIS), 0) + ROUNDING_MS;
                timer = timers.schedule(
                        () -> streams.changed(Set.of(caller.user().hex())), delay, TimeUnit.MILLISECONDS);
            }
        }

        synchronized void close() {
            isOver = true;
            cancel();
        }

        private void cancel() {
            if (timer != null) {
                timer.cancel(false);
            }
        }
    }

    RevocableStreams(Db db, InstantSource clock, Revocations revocations) {
        this.db = db;
        this.clock = clock;
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        revocations.listen(people -> streams.signalled(people, Function.identity()));
    }

    /** Runs {@code end} when the caller is revoked, perhaps at once; the returned action is run when the stream is over. */
    Runnable add(Caller caller, Runnable end) {
        var stream = new OpenStream(caller, end);
        // An admin who acts as another may be revoked as well as the other.
        var removals = Stream.of(caller.user(), caller.actor())
                .distinct()
                .map(person -> streams.add(person.hex(), stream))
                .toList();
        return () -> {
            stream.close();
            removals.forEach(Runnable::run);
        };
    }

    private void endInvalid(Set<String> people) {
        var open = people.stream()
                .flatMap(person -> streams.of(person).stream())
                .distinct()
                .toList();
        Map<Caller, Instant> valid;
        try {
            valid = valid(open.stream().map(stream -> stream.caller).distinct().toList());
        } catch (DbException e) {
            // Their readers come back, and are authenticated then.
            log.debug("streams are ended, since it is unknown whether their callers are valid", e);
            valid = Map.of();
        }
        for (var stream : open) {
            var until = valid.get(stream.caller);
            if (until == null) {
                stream.end.run();
            } else {
                stream.checkAt(until);
            }
        }
    }

    /** The ends of the sessions and tokens of those callers who are valid. */
    private Map<Caller, Instant> valid(List<Caller> callers) {
        var now = clock.instant();
        return db.read(reads -> {
            var openSessions = sessions.valid(
                    reads,
                    callers.stream()
                            .flatMap(caller -> caller.session().stream())
                            .map(SessionId::value)
                            .toList(),
                    now);
            var openTokens = tokens.valid(
                    reads,
                    callers.stream()
                            .map(Caller::via)
                            .filter(ByToken.class::isInstance)
                            .map(via -> ((ByToken) via).id().value())
                            .toList(),
                    now);
            Map<Caller, Instant> valid = new HashMap<>();
            for (var caller : callers) {
                var until = switch (caller.via()) {
                    case BySession session -> openSessions.get(session.id().value());
                    case ByToken token -> openTokens.get(token.id().value());
                    case Caller.ByServer _ -> new ValidUntil(caller.user(), Instant.MAX);
                };
                if (until != null && until.user().equals(caller.user())) {
                    valid.put(caller, until.end());
                }
            }
            return valid;
        });
    }

    @Override
    public void close() {
        streams.close();
        timers.shutdown();
    }
}
