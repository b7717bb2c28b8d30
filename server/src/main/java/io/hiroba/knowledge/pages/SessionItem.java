package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.sessions.ChatSession;
import io.hiroba.knowledge.sessions.SessionStatus;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;

/**
 * A row of the list of sessions.
 *
 * @param messages the number of messages, in words
 */
public record SessionItem(
        String key,
        String path,
        Text type,
        boolean isPublic,
        boolean isArchived,
        String messages,
        String when,
        String exact) {

    static SessionItem of(ChatSession session, Reader reader) {
        return new SessionItem(
                session.key().text(),
                session.ref().path(),
                Text.of("knowledge.session.type-" + session.type().text()),
                session.isPublic(),
                session.status() == SessionStatus.ARCHIVED,
                reader.text("knowledge.session.message-count", "count", session.messageCount()),
                reader.ago(session.lastActiveAt()),
                reader.exact(session.lastActiveAt()));
    }

    /** The URL of one of its actions. */
    public String action(String name) {
        return path.replaceFirst("\\?", "/" + name + "?");
    }
}
