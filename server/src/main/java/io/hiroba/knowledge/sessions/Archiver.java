package io.hiroba.knowledge.sessions;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes knowledge of sessions that have fallen silent. What was said is read and cut outside any transaction; source,
 * chunks and the session's new state are written in one, if the session is still as it was read. So whatever else
 * happens to a session meanwhile, and however many nodes look at it, each message becomes new in one source, once.
 */
public final class Archiver implements AutoCloseable {

    /** What has fewer characters says nothing. */
    static final int FEWEST_CHARACTERS = 30;

    /** How often a session that changed under the archiver's hands is looked at anew. */
    static final int RETRIES = 3;

    /** Bounds what one source, one transaction and this node's memory have to hold. */
    private static final int MOST_MESSAGES = 1000;

    private static final int MOST_CHARACTERS = 2_000_000;
    private static final int READ_AT_ONCE = 100;
    private static final Logger log = LoggerFactory.getLogger(Archiver.class);

    private final Db db;
    private final Clock clock;
    private final SourceWriter writer;
    private final ArchiveConfig config;
    private final MeterRegistry meters;
    private final ArchiveStore store = new ArchiveStore();
    private final SessionStore sessions = new SessionStore();
    private volatile boolean closed;

    public Archiver(Db db, Clock clock, SourceWriter writer, ArchiveConfig config, MeterRegistry meters) {
        this.db = db;
        this.clock = clock;
        this.writer = writer;
        this.config = config;
        this.meters = meters;
    }

    /** What became of a session. */
    public enum Outcome {
        /** Something of it is knowledge now. */
        ARCHIVED,
        /** It says too little: it rests, and what it says counts when it goes on. */
        SKIPPED,
        /** It is not due any more: somebody spoke, or another node was faster. */
        NOT_DUE,
        /** It changed each time it was looked at. */
        CONFLICT,
        FAILED;

        @JsonValue
        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** What {@link #archive} came to. */
    public record Archiving(Outcome outcome, List<SourceId> sources) {}

    /** Runs now and again until it is closed. */
    public AutoCloseable background() {
        var loop = WorkLoop.every(config.every(), "archiver", this::run);
        return () -> {
            close();
            loop.close();
        };
    }

    /** Ends a run after the session it is at. */
    @Override
    public void close() {
        closed = true;
    }

    /** Archives all sessions that are due, the longest silent first. One that fails is left for the next run. */
    public Map<Outcome, Integer> run() {
        var outcomes = new EnumMap<Outcome, Integer>(Outcome.class);
        var since = clock.instant().minus(config.idle());
        var place = new SessionPosition(Instant.EPOCH, new SessionId(0));
        List<Session> batch;
        do {
            var after = place;
            batch = db.read(reads -> store.idle(reads, since, after, config.batch()));
            for (var session : batch) {
                if (closed) {
                    break;
                }
                outcomes.merge(attempt(session.id()), 1, Integer::sum);
                place = SessionPosition.of(session);
            }
        } while (batch.size() == config.batch() && !closed);
        if (!outcomes.isEmpty()) {
            log.info("Sessions that had fallen silent: {}", outcomes);
        }
        return outcomes;
    }

    private Outcome attempt(SessionId id) {
        Outcome outcome;
        try {
            outcome = archive(id, this::isIdle).outcome();
        } catch (RuntimeException e) {
            log.warn("The session {} could not be archived and will be tried again", id, e);
            outcome = Outcome.FAILED;
        }
        meters.counter("hiroba.knowledge.archiver", "outcome", outcome.text()).increment();
        return outcome;
    }

    private boolean isIdle(Session session) {
        return session.status() == SessionStatus.ACTIVE
                && session.lastActiveAt().isBefore(clock.instant().minus(config.idle()));
    }

    /** Archives a session now, silent or not. */
    public Archiving archive(SessionId id) {
        return archive(
                id, session -> session.status() == SessionStatus.ACTIVE || session.archived() < session.messageCount());
    }

    private Archiving archive(SessionId id, Predicate<Session> isDue) {
        var made = new ArrayList<SourceId>();
        int conflicts = 0;
        while (conflicts <= RETRIES) {
            var session = db.read(reads -> store.find(reads, id)).filter(isDue);
            if (session.isEmpty()) {
                return new Archiving(made.isEmpty() ? Outcome.NOT_DUE : Outcome.ARCHIVED, made);
            }
            if (!db.read(reads -> store.isWorthKeeping(reads, session.get(), FEWEST_CHARACTERS))) {
                if (rest(session.get())) {
                    return new Archiving(made.isEmpty() ? Outcome.SKIPPED : Outcome.ARCHIVED, made);
                }
                conflicts++;
                continue;
            }
            var messages = db.read(reads -> next(reads, session.get()));
            if (messages.isEmpty() || messages.getLast().index() < session.get().archived()) {
                // They went since the session was read, as they do with an owner who departs.
                return new Archiving(made.isEmpty() ? Outcome.NOT_DUE : Outcome.ARCHIVED, made);
            }
            var part = Part.of(session.get(), messages, config.chunkTokens());
            var source = write(session.get(), part);
            source.ifPresent(made::add);
            conflicts = source.isPresent() ? 0 : conflicts + 1;
            if (source.isPresent() && part.end() == session.get().messageCount()) {
                return new Archiving(Outcome.ARCHIVED, made);
            }
        }
        return new Archiving(made.isEmpty() ? Outcome.CONFLICT : Outcome.ARCHIVED, made);
    }

    /** Archived, but for what it says: that is still to come. */
    private boolean rest(Session session) {
        return db.inTransaction(tx -> store.advance(tx, session, session.archived(), SessionStatus.ARCHIVED));
    }

    /** The messages of the next part, from those that it overlaps with on. */
    private List<Message> next(Reads reads, Session session) {
        var messages = new ArrayList<Message>();
        int from = Math.max(0, session.archived() - Part.OVERLAP);
        int most = Math.min(session.messageCount(), session.archived() + MOST_MESSAGES);
        int characters = 0;
        while (from < most && characters < MOST_CHARACTERS) {
            int end = Math.min(most, from + READ_AT_ONCE);
            for (var message : sessions.messages(reads, session.id(), from, end)) {
                messages.add(message);
                characters += message.content().length();
            }
            from = end;
        }
        return messages;
    }

    /** None if the session has changed since it was read. */
    private Optional<SourceId> write(Session session, Part part) {
        var status = part.end() == session.messageCount() ? SessionStatus.ARCHIVED : SessionStatus.ACTIVE;
        return db.inTransaction(tx -> store.advance(tx, session, part.end(), status)
                ? writer.create(tx, part.source(), part.chunks()).or(() -> writer.find(tx, part.source()))
                : Optional.empty());
    }
}
