package io.hiroba.knowledge.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.knowledge.sessions.ChatSession;
import io.hiroba.knowledge.sessions.SessionStatus;

/**
 * A row of the list of sessions.
 *
 * @param messages the number of messages, in words
 */
public record SessionItem(
        String key,
        String path,
        String type,
        boolean isPublic,
        boolean isArchived,
        String messages,
        String when,
        String exact) {

    static SessionItem of(ChatSession session, Reader when) {
        return new SessionItem(
                session.key().text(),
                session.ref().path(),
                switch (session.type()) {
                    case MENTION -> "Mention";
                    case THREAD -> "Thread";
                    case EAVESDROP -> "Eavesdrop";
                },
                session.isPublic(),
                session.status() == SessionStatus.ARCHIVED,
                session.messageCount() == 1 ? "1 message" : "%,d messages".formatted(session.messageCount()),
                when.ago(session.lastActiveAt()),
                when.exact(session.lastActiveAt()));
    }

    /** The URL of one of its actions. */
    public String action(String name) {
        return path.replaceFirst("\\?", "/" + name + "?");
    }
}
