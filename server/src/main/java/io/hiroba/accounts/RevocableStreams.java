package io.hiroba.accounts;

import io.hiroba.accounts.Caller.BySession;
import io.hiroba.accounts.Caller.ByToken;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.live.Listeners;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open streams of this node by the people behind them. One whose session or token is no longer valid is ended as soon as
 * any node signals a revocation; also one that was opened with a caller who was cached (ADR 65). One whose token expires ends then.
 */
final class RevocableStreams implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RevocableStreams.class);

    private final Db db;
    private final InstantSource clock;
    private final SessionStore sessions = new SessionStore();
    private final TokenStore tokens = new TokenStore();
    private final Listeners<String, OpenStream> streams =
            new Listeners<>("revoked streams", (people, changed) -> endInvalid(people));

    /** Ends streams with the tokens that expire by themselves, of which no node signals anything. */
    private final ScheduledThreadPoolExecutor expiries = new ScheduledThreadPoolExecutor(
            1, Thread.ofVirtual().name("expired streams").factory());

    private record OpenStream(Caller caller, Runnable end) {}

    RevocableStreams(Db db, InstantSource clock, Revocations revocations) {
        this.db = db;
        this.clock = clock;
        expiries.setRemoveOnCancelPolicy(true);
        expiries.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        revocations.listen(people -> {
            if (people.contains(CommitSignal.ANY)) {
                streams.everybodyChanged();
            } else {
                streams.changed(people);
            }
        });
    }

    /** Runs {@code end} when the caller is revoked, perhaps at once; the returned action is run when the stream is over. */
    Runnable add(Caller caller, Runnable end) {
        var stream = new OpenStream(caller, end);
        // An admin who acts as another may be revoked as well as the other.
        var removals = Stream.of(caller.user(), caller.actor())
                .distinct()
                .map(person -> streams.add(person.hex(), stream))
                .toList();
        var expiry = expiry(caller, end);
        return () -> {
            expiry.run();
            removals.forEach(Runnable::run);
        };
    }

    /** Runs {@code end} when the caller's token expires, unless the returned action is run before. */
    private Runnable expiry(Caller caller, Runnable end) {
        if (!(caller.via() instanceof ByToken token) || token.expiresAt().equals(Instant.MAX)) {
            return () -> {};
        }
        long delay = clock.instant().until(token.expiresAt(), ChronoUnit.MILLIS);
        var task = expiries.schedule(end, delay, TimeUnit.MILLISECONDS);
        return () -> task.cancel(false);
    }

    private void endInvalid(Set<String> people) {
        var open = people.stream()
                .flatMap(person -> streams.of(person).stream())
                .distinct()
                .toList();
        Set<Caller> valid;
        try {
            valid = valid(open.stream().map(OpenStream::caller).distinct().toList());
        } catch (DbException e) {
            // Their readers come back, and are authenticated then.
            log.debug("streams are ended, since it is unknown whether their callers are valid", e);
            valid = Set.of();
        }
        for (var stream : open) {
            if (!valid.contains(stream.caller())) {
                stream.end().run();
            }
        }
    }

    private Set<Caller> valid(List<Caller> callers) {
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
            return callers.stream()
                    .filter(caller -> switch (caller.via()) {
                        case BySession session ->
                            caller.user().equals(openSessions.get(session.id().value()));
                        case ByToken token ->
                            caller.user().equals(openTokens.get(token.id().value()));
                        case Caller.ByServer _ -> true;
                    })
                    .collect(Collectors.toSet());
        });
    }

    @Override
    public void close() {
        expiries.shutdown();
        streams.close();
    }
}
