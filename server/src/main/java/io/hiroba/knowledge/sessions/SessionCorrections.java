package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.sessions.SessionCorrectionStore.ArchivedPart;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Corrects and forgets what sessions hold, with all that was made of them: the sources that a session was archived to are chunked and
 * embedded anew. The session's row is locked and its version goes up, so that an archiver that read it before writes nothing, and one
 * that wrote before has its source corrected here.
 */
public final class SessionCorrections {

    private final Db db;
    private final SourceWriter writer;
    private final int chunkTokens;
    private final AuditLog audit;
    private final ChatSessionStore sessions = new ChatSessionStore();
    private final SessionCorrectionStore store = new SessionCorrectionStore();

    /** @param chunkTokens the maximum size of a chunk */
    SessionCorrections(Db db, SourceWriter writer, int chunkTokens) {
        this.db = db;
        this.writer = writer;
        this.chunkTokens = chunkTokens;
        this.audit = new AuditLog(db);
    }

    /**
     * The caller's sessions whose keys are a prefix and an id, the highest id first.
     *
     * @param below only ids that are less, in hex
     */
    public List<ChatSession> numbered(Caller caller, String prefix, String below, int limit) {
        return db.read(reads -> store.numbered(reads, caller.user(), prefix, below, limit));
    }

    /**
     * Replaces what a message of the caller's session says. The words of neither go into the audit log.
     *
     * @param expected the version of the session that the caller has seen; null for any
     */
    public ChatSession correct(Caller caller, SessionKey key, int index, String content, @Nullable Integer expected) {
        var message = NewMessage.of(MessageRole.USER, content);
        return db.inTransaction(tx -> {
            var session = lock(tx, caller, key);
            if (expected != null && expected != session.version()) {
                throw KnowledgeProblem.versionConflict(session.version());
            }
            var parts = store.lockParts(tx, session).stream()
                    .filter(part -> part.hasInChunks(index))
                    .toList();
            var before = parts.stream().map(part -> source(tx, session, part)).toList();
            if (!store.setContent(tx, session.id(), index, message.content())) {
                throw KnowledgeProblem.noMessage();
            }
            for (int i = 0; i < parts.size(); i++) {
                var part = parts.get(i);
                var was = before.get(i);
                source(tx, session, part).ifPresent(source -> replace(tx, part, was, source));
            }
            record(
                    tx,
                    caller,
                    session,
                    AuditLog.Action.CHAT_SESSION_CORRECTED,
                    Changes.NONE.with("message", null, index));
            return store.nextVersion(tx, session.id());
        });
    }

    /** A title that somebody gave the source stays. */
    private void replace(Tx tx, ArchivedPart part, Optional<SessionSource> before, SessionSource after) {
        boolean isNamed =
                before.filter(was -> was.source().title().equals(part.title())).isEmpty();
        writer.replace(tx, part.id(), isNamed ? after.source().titled(part.title()) : after.source(), after.chunks());
        if (isNamed) {
            // The chunks were made with the title that the session gives them, and are found by what they are called.
            writer.rename(tx, part.id(), part.title());
        }
    }

    /** A part as it is archived; empty if its messages are gone. */
    private Optional<SessionSource> source(Tx tx, ChatSession session, ArchivedPart part) {
        int from = Math.max(0, part.first() - SessionSource.OVERLAP);
        var messages = sessions.messages(tx, session.id(), from, part.end());
        return messages.isEmpty() || messages.getLast().index() < part.first()
                ? Optional.empty()
                : Optional.of(SessionSource.of(session.archivedTo(part.first()), messages, chunkTokens));
    }

    /** Deletes the caller's session with its messages, and the sources that it was archived to. */
    public void forget(Caller caller, SessionKey key) {
        db.useTransaction(tx -> {
            var session = lock(tx, caller, key);
            for (var part : store.lockParts(tx, session)) {
                writer.delete(tx, session.owner(), ChatSessionStore.origin(session.id()) + part.first());
            }
            sessions.delete(tx, session.id());
            record(tx, caller, session, AuditLog.Action.CHAT_SESSION_FORGOTTEN, Changes.NONE);
        });
    }

    private ChatSession lock(Tx tx, Caller caller, SessionKey key) {
        return sessions.lock(tx, new SessionRef(caller.user(), key)).orElseThrow(KnowledgeProblem::noSession);
    }

    private void record(Tx tx, Caller caller, ChatSession session, AuditLog.Action action, Changes changes) {
        var target = Target.of(
                TargetKind.CHAT_SESSION, session.id().hex(), session.key().text(), session.owner());
        audit.record(tx, caller, action, target, changes);
    }
}
