package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.sessions.ChatSession;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.knowledge.sessions.ChatSessions.Transcript;
import io.hiroba.knowledge.sessions.SessionCorrections;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.knowledge.sessions.SessionRef;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.PostId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facade of what an agent remembers of a person: a chat session of theirs for each thread in which it answered them. They alone see,
 * correct and delete it, not an admin who acts as them either.
 */
final class AgentMemory {

    private static final String PREFIX = "mention:agent-%s-";
    private static final String ABOVE_ALL = "8000000000000000";
    private static final int BATCH_SIZE = 100;

    private final Users users;
    private final ChatSessions sessions;
    private final SessionCorrections corrections;

    AgentMemory(Users users, ChatSessions sessions, SessionCorrections corrections) {
        this.users = users;
        this.sessions = sessions;
        this.corrections = corrections;
    }

    /** A thread that an agent remembers. */
    record RememberedThread(PostId root, ChatSession session) {

        static RememberedThread of(ChatSession session) {
            var key = session.key().text();
            return new RememberedThread(PostId.parse(key.substring(key.lastIndexOf('-') + 1)), session);
        }
    }

    /** The key of the session in which an agent keeps what somebody and it said below a post. */
    static SessionKey key(UserId agent, PostId root) {
        return SessionKey.parse(PREFIX.formatted(agent.hex()) + root.hex());
    }

    /** Whether a source holds what an agent remembers of somebody. */
    static boolean holds(KnowledgeSource source, UserId agent, UserId person) {
        return source.owner().equals(person)
                && source.type() == SourceType.DISCORD_SESSION
                && source.metadata().path(SessionKey.METADATA).asString("").startsWith(PREFIX.formatted(agent.hex()));
    }

    private static SessionRef ref(Caller caller, UserId agent, PostId root) {
        caller.requireNotActing();
        return new SessionRef(caller.user(), key(agent, root));
    }

    /** The name of the account of an agent; its id if it was deleted: what it remembers stays until somebody deletes it. */
    String name(UserId agent) {
        return users.find(agent).map(found -> found.user().nickname().value()).orElseGet(agent::toString);
    }

    /** The newest thread first. */
    List<RememberedThread> list(Caller caller, UserId agent, Optional<PostId> before, int limit) {
        caller.requireNotActing();
        var below = before.map(PostId::hex).orElse(ABOVE_ALL);
        return corrections.numbered(caller, PREFIX.formatted(agent.hex()), below, limit).stream()
                .map(RememberedThread::of)
                .toList();
    }

    Transcript read(Caller caller, UserId agent, PostId root, @Nullable Integer before, int limit) {
        return sessions.read(Librarian.member(caller.user()), ref(caller, agent, root), before, limit);
    }

    /** @param version the version of the thread that the caller has seen; null for any */
    ChatSession correct(
            Caller caller, UserId agent, PostId root, int index, String content, @Nullable Integer version) {
        return corrections.correct(caller, ref(caller, agent, root).key(), index, content, version);
    }

    void forget(Caller caller, UserId agent, PostId root) {
        corrections.forget(caller, ref(caller, agent, root).key());
    }

    /** Forgets all threads of one person. What is said while this goes on may be remembered. */
    void forgetAll(Caller caller, UserId agent) {
        List<RememberedThread> batch;
        var before = Optional.<PostId>empty();
        do {
            batch = list(caller, agent, before, BATCH_SIZE);
            for (var thread : batch) {
                before = Optional.of(thread.root());
                try {
                    forget(caller, agent, thread.root());
                } catch (Problem goneMeanwhile) {
                    if (goneMeanwhile.kind() != Problem.Kind.NOT_FOUND) {
                        throw goneMeanwhile;
                    }
                }
            }
        } while (batch.size() == BATCH_SIZE);
    }
}
