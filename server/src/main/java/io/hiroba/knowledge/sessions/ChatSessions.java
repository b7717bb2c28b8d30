package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.search.SearchWords;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates, reads and appends to chat sessions. The owner writes; others read public sessions. If the expected version
 * is not the current one, nothing is written.
 */
public final class ChatSessions {

    /** The maximum number of messages of one append. */
    public static final int MAX_BATCH_SIZE = 100;

    /** Matches any version of an existing session. */
    public static final int ANY_VERSION = 0;

    private final Db db;
    private final IdGenerator ids;
    private final Clock clock;
    private final SourceWriter writer;
    private final AuditLog audit;
    private final ChatSessionStore store = new ChatSessionStore();
    private final SessionSearchStore search = new SessionSearchStore();

    public ChatSessions(Db db, IdGenerator ids, Clock clock, SourceWriter writer) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.writer = writer;
        this.audit = new AuditLog(db);
    }

    /** A session with its latest message that has the words of a search. */
    public record FoundMessage(SessionKey key, String content, Instant sentAt) {}

    /** The caller's own sessions whose latest messages have the words, the most recently active first. */
    public List<FoundMessage> find(Caller caller, SearchWords words, int limit) {
        return db.read(reads -> search.search(reads, caller.user(), words, limit));
    }

    /** The result of {@link #put}. */
    public record PutResult(ChatSession session, boolean created) {}

    /**
     * Creates a session or replaces its attributes; its sources become public or private with it. A new context applies
     * to what is archived from then on.
     */
    public PutResult put(Caller caller, SessionRef ref, Draft draft, @Nullable Integer expected) {
        return db.inTransaction(tx -> {
            requireWritable(tx, caller, ref);
            if (expected == null) {
                var made = store.insert(tx, new ChatSessionId(ids.next()), ref, draft, now());
                if (made.isPresent()) {
                    return new PutResult(made.get(), true);
                }
            }
            var known = lock(tx, ref, expected);
            if (known.isAs(draft)) {
                return new PutResult(known, false);
            }
            if (known.isPublic() != draft.isPublic()) {
                store.sources(tx, known.owner(), known.id()).forEach(id -> writer.setPublic(tx, id, draft.isPublic()));
            }
            if (known.isPublic() != draft.isPublic() || !known.owner().equals(caller.user())) {
                var changes = Changes.NONE.with("isPublic", known.isPublic(), draft.isPublic());
                audit.record(tx, caller, AuditLog.Action.CHAT_SESSION_CHANGED, target(known), changes);
            }
            return new PutResult(store.update(tx, known.id(), draft), false);
        });
    }

    /** The session. An admin who reads what is private to another is recorded. */
    public ChatSession get(Caller caller, SessionRef ref) {
        var session = db.read(reads -> readable(reads, caller, ref)).orElseThrow(KnowledgeProblem::noSession);
        recordRead(caller, session);
        return session;
    }

    private void recordRead(Caller caller, ChatSession session) {
        if (!session.isPublic() && !session.owner().equals(caller.user())) {
            audit.recordRead(caller, AuditLog.Action.CHAT_SESSION_READ, target(session));
        }
    }

    private static Target target(ChatSession session) {
        return Target.of(
                TargetKind.CHAT_SESSION, session.id().hex(), session.key().text(), session.owner());
    }

    /**
     * The session with its newest messages.
     *
     * @param before only messages before this index; null for the newest
     */
    public Transcript read(Caller caller, SessionRef ref, @Nullable Integer before, int limit) {
        var transcript = db.read(reads -> {
            var session = readable(reads, caller, ref).orElseThrow(KnowledgeProblem::noSession);
            // Later messages are not shown, since they are not part of the version that was read.
            int end = before == null ? session.messageCount() : Math.min(before, session.messageCount());
            return new Transcript(session, store.messages(reads, session.id(), Math.max(0, end - limit), end));
        });
        recordRead(caller, transcript.session());
        return transcript;
    }

    /**
     * Deletes the session with its messages. Archived sources stay, without a link to the session.
     */
    public void delete(Caller caller, SessionRef ref, @Nullable Integer expected) {
        db.useTransaction(tx -> {
            requireWritable(tx, caller, ref);
            var session = lock(tx, ref, expected);
            store.sources(tx, session.owner(), session.id()).forEach(id -> writer.unlink(tx, id));
            store.delete(tx, session.id());
            if (!session.owner().equals(caller.user())) {
                audit.record(tx, caller, AuditLog.Action.CHAT_SESSION_DELETED, target(session));
            }
        });
    }

    public Appended append(Caller caller, SessionRef ref, List<NewMessage> messages, @Nullable Integer expected) {
        return db.inTransaction(tx -> append(tx, caller, ref, messages, expected));
    }

    /**
     * Appends messages that only the owner may read: fails if the session is public, even if it became so meanwhile.
     */
    public void appendPrivately(Caller caller, SessionRef ref, List<NewMessage> messages) {
        db.useTransaction(tx -> {
            append(tx, caller, ref, messages, null);
            // The session's row is locked, so that it cannot be published before this commits.
            if (store.find(tx, ref, true).filter(ChatSession::isPublic).isPresent()) {
                throw KnowledgeProblem.sessionPublic();
            }
        });
    }

    /**
     * Appends messages at constant cost, whatever the length of the session. A session whose key begins with a type is
     * created if needed; an archived one becomes active again.
     */
    public Appended append(
            Tx tx, Caller caller, SessionRef ref, List<NewMessage> messages, @Nullable Integer expected) {
        if (messages.isEmpty() || messages.size() > MAX_BATCH_SIZE) {
            throw KnowledgeProblem.invalid("messages", Text.of("knowledge.field.messages", "max", MAX_BATCH_SIZE));
        }
        if (!caller.mayChange(ref.owner())) {
            requireWritable(tx, caller, ref);
        }
        if (!ref.owner().equals(caller.user())) {
            var changes = Changes.NONE.with("messages", null, messages.size());
            var target = new Target(TargetKind.CHAT_SESSION, null, ref.key().text(), ref.owner());
            audit.record(tx, caller, AuditLog.Action.CHAT_SESSION_CHANGED, target, changes);
        }
        var appended = store.append(tx, ref, messages, expected, now());
        if (appended.isPresent()) {
            return appended.get();
        }
        if (expected != null) {
            throw conflict(tx, ref);
        }
        var type = ref.key().type().orElseThrow(KnowledgeProblem::noSession);
        // Waits for a concurrent creation.
        store.insert(tx, new ChatSessionId(ids.next()), ref, new Draft(type, false, DiscordContext.NONE), now());
        return store.append(tx, ref, messages, null, now()).orElseThrow(KnowledgeProblem::noSession);
    }

    /** Sessions by last activity, the latest first; of other owners only public ones. */
    public List<ChatSession> list(Caller caller, Filter filter, Optional<SessionPosition> after, int limit) {
        boolean all = caller.mayChange(filter.owner());
        if (all && !filter.owner().equals(caller.user())) {
            audit.recordRead(caller, AuditLog.Action.CHAT_SESSION_READ, Target.of(filter.owner()));
        }
        return db.read(reads -> store.list(reads, filter, all, after, limit));
    }

    /** A session that the caller may change. */
    public ChatSession own(Caller caller, SessionRef ref) {
        return db.inTransaction(tx -> {
            requireWritable(tx, caller, ref);
            return store.find(tx, ref, true).orElseThrow(KnowledgeProblem::noSession);
        });
    }

    private Optional<ChatSession> readable(Reads reads, Caller caller, SessionRef ref) {
        return store.find(reads, ref, caller.mayChange(ref.owner()));
    }

    private void requireWritable(Tx tx, Caller caller, SessionRef ref) {
        if (!caller.mayChange(ref.owner())) {
            throw readable(tx, caller, ref).isPresent() ? KnowledgeProblem.notYours() : KnowledgeProblem.noSession();
        }
    }

    private ChatSession lock(Tx tx, SessionRef ref, @Nullable Integer expected) {
        var session = store.lock(tx, ref).orElseThrow(KnowledgeProblem::noSession);
        if (expected != null && expected != ANY_VERSION && expected != session.version()) {
            throw KnowledgeProblem.versionConflict(session.version());
        }
        return session;
    }

    private KnowledgeProblem conflict(Tx tx, SessionRef ref) {
        return store.find(tx, ref, true)
                .map(session -> KnowledgeProblem.versionConflict(session.version()))
                .orElseGet(KnowledgeProblem::noSession);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /**
     * The result of an append.
     *
     * @param version the session's new version
     * @param index the index of the first new message
     */
    public record Appended(int version, int index) {}

    /** A session with some of its messages in order. */
    public record Transcript(ChatSession session, List<ChatMessage> messages) {

        /** The index below which there are older messages; empty if there are none. */
        public @Nullable Integer olderBefore() {
            return messages.isEmpty() || messages.getFirst().index() == 0
                    ? null
                    : messages.getFirst().index();
        }
    }

    /** The attributes of a session that its owner sets. */
    public record Draft(SessionType type, boolean isPublic, DiscordContext context) {}

    /** The filters of the list of sessions. */
    public record Filter(
            UserId owner,
            @Nullable SessionType type,
            @Nullable SessionStatus status) {}
}
