package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import java.time.Instant;

/**
 * A chat session.
 *
 * @param version incremented by each change
 * @param archived the archive position: messages below this index are archived
 */
public record ChatSession(
        ChatSessionId id,
        UserId owner,
        SessionKey key,
        SessionType type,
        boolean isPublic,
        SessionStatus status,
        DiscordContext context,
        int version,
        int messageCount,
        int archived,
        Instant createdAt,
        Instant lastActiveAt) {

    public SessionRef ref() {
        return new SessionRef(owner, key);
    }

    public String tag() {
        return "\"" + version + "\"";
    }

    /** The session as it was while only the messages below {@code index} were archived. */
    ChatSession archivedTo(int index) {
        return new ChatSession(
                id, owner, key, type, isPublic, status, context, version, messageCount, index, createdAt, lastActiveAt);
    }

    boolean isAs(ChatSessions.Draft draft) {
        return type == draft.type() && isPublic == draft.isPublic() && context.equals(draft.context());
    }
}
