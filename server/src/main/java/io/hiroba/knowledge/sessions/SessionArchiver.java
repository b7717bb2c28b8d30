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
 * Archives idle sessions as sources. Messages are read and chunked outside any transaction; source, chunks and the
 * session's new state are written in one, if the session is unchanged. So each message is archived in exactly one
 * source, whatever concurrent changes and nodes do.
 */
public final class SessionArchiver implements AutoCloseable {

    /** The minimum length of a session to archive. */
    static final int MIN_CHARACTERS = 30;

    /** The attempts for a session that changes while it is archived. */
    static final int MAX_RETRIES = 3;

    /** The maximum messages of a source, which bounds the transaction and memory. */
    private static final int MAX_MESSAGES = 1000;

    private static final int MAX_CHARACTERS = 2_000_000;
    private static final int READ_BATCH_SIZE = 100;
    private static final Logger log = LoggerFactory.getLogger(SessionArchiver.class);

    private final Db db;
    private final Clock clock;
    private final SourceWriter writer;
    private final ArchiveConfig config;
    private final MeterRegistry meters;
    private final SessionArchiveStore store = new SessionArchiveStore();
    private final ChatSessionStore sessions = new ChatSessionStore();
    private volatile boolean closed;

    public SessionArchiver(Db db, Clock clock, SourceWriter writer, ArchiveConfig config, MeterRegistry meters) {
        this.db = db;
        this.clock = clock;
        this.writer = writer;
        this.config = config;
        this.meters = meters;
    }

    /** The outcome of archiving a session. */
    public enum ArchiveOutcome {
        /** Messages were archived. */
        ARCHIVED,
        /** Too short: marked archived; its messages are archived when it continues. */
        SKIPPED,
        /** Not due any more: it has new messages, or another node archived it. */
        NOT_DUE,
        /** It changed during every attempt. */
        CONFLICT,
        FAILED;

        @JsonValue
        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The result of {@link #archive}. */
    public record ArchiveResult(ArchiveOutcome outcome, List<SourceId> sources) {}

    /** Starts to run at intervals. */
    public AutoCloseable background() {
        var loop = WorkLoop.every(config.every(), "archiver", this::run);
        return () -> {
            close();
            loop.close();
        };
    }

    /** Stops after the current session. */
    @Override
    public void close() {
        closed = true;
    }

    /** Archives all due sessions, the longest idle first. One that fails is retried in the next run. */
    public Map<ArchiveOutcome, Integer> run() {
        var outcomes = new EnumMap<ArchiveOutcome, Integer>(ArchiveOutcome.class);
        var since = clock.instant().minus(config.idle());
        var position = new SessionPosition(Instant.EPOCH, new ChatSessionId(0));
        List<ChatSession> batch;
        do {
            var after = position;
            batch = db.read(reads -> store.idle(reads, since, after, config.batch()));
            for (var session : batch) {
                if (closed) {
                    break;
                }
                outcomes.merge(attempt(session.id()), 1, Integer::sum);
                position = SessionPosition.of(session);
            }
        } while (batch.size() == config.batch() && !closed);
        if (!outcomes.isEmpty()) {
            log.info("Archived idle sessions: {}", outcomes);
        }
        return outcomes;
    }

    private ArchiveOutcome attempt(ChatSessionId id) {
        ArchiveOutcome outcome;
        try {
            outcome = archive(id, this::isIdle).outcome();
        } catch (RuntimeException e) {
            log.warn("The session {} could not be archived and will be tried again", id, e);
            outcome = ArchiveOutcome.FAILED;
        }
        meters.counter("hiroba.knowledge.archiver", "outcome", outcome.text()).increment();
        return outcome;
    }

    private boolean isIdle(ChatSession session) {
        return session.status() == SessionStatus.ACTIVE
                && session.lastActiveAt().isBefore(clock.instant().minus(config.idle()));
    }

    /** Archives a session now, idle or not. */
    public ArchiveResult archive(ChatSessionId id) {
        return archive(
                id, session -> session.status() == SessionStatus.ACTIVE || session.archived() < session.messageCount());
    }

    private ArchiveResult archive(ChatSessionId id, Predicate<ChatSession> isDue) {
        var sources = new ArrayList<SourceId>();
        int conflicts = 0;
        while (conflicts <= MAX_RETRIES) {
            var session = db.read(reads -> store.find(reads, id)).filter(isDue);
            if (session.isEmpty()) {
                return new ArchiveResult(sources.isEmpty() ? ArchiveOutcome.NOT_DUE : ArchiveOutcome.ARCHIVED, sources);
            }
            if (!db.read(reads -> store.hasEnoughContent(reads, session.get(), MIN_CHARACTERS))) {
                if (markArchived(session.get())) {
                    return new ArchiveResult(
                            sources.isEmpty() ? ArchiveOutcome.SKIPPED : ArchiveOutcome.ARCHIVED, sources);
                }
                conflicts++;
                continue;
            }
            var messages = db.read(reads -> next(reads, session.get()));
            if (messages.isEmpty() || messages.getLast().index() < session.get().archived()) {
                // The session was deleted meanwhile, for example with its owner's account.
                return new ArchiveResult(sources.isEmpty() ? ArchiveOutcome.NOT_DUE : ArchiveOutcome.ARCHIVED, sources);
            }
            var part = SessionSource.of(session.get(), messages, config.chunkTokens());
            var source = write(session.get(), part);
            source.ifPresent(sources::add);
            conflicts = source.isPresent() ? 0 : conflicts + 1;
            if (source.isPresent() && part.end() == session.get().messageCount()) {
                return new ArchiveResult(ArchiveOutcome.ARCHIVED, sources);
            }
        }
        return new ArchiveResult(sources.isEmpty() ? ArchiveOutcome.CONFLICT : ArchiveOutcome.ARCHIVED, sources);
    }

    /** Marks a session archived without archiving its messages. */
    private boolean markArchived(ChatSession session) {
        return db.inTransaction(tx -> store.advance(tx, session, session.archived(), SessionStatus.ARCHIVED));
    }

    /** The messages of the next part, including the overlap. */
    private List<ChatMessage> next(Reads reads, ChatSession session) {
        var messages = new ArrayList<ChatMessage>();
        int from = Math.max(0, session.archived() - SessionSource.OVERLAP);
        int max = Math.min(session.messageCount(), session.archived() + MAX_MESSAGES);
        int characters = 0;
        while (from < max && characters < MAX_CHARACTERS) {
            int end = Math.min(max, from + READ_BATCH_SIZE);
            for (var message : sessions.messages(reads, session.id(), from, end)) {
                messages.add(message);
                characters += message.content().length();
            }
            from = end;
        }
        return messages;
    }

    /** Empty if the session was changed since it was read. */
    private Optional<SourceId> write(ChatSession session, SessionSource part) {
        var status = part.end() == session.messageCount() ? SessionStatus.ARCHIVED : SessionStatus.ACTIVE;
        return db.inTransaction(tx -> store.advance(tx, session, part.end(), status)
                ? writer.create(tx, part.source(), part.chunks()).or(() -> writer.find(tx, part.source()))
                : Optional.empty());
    }
}
