package io.hiroba.knowledge.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.knowledge.sessions.Session;
import io.hiroba.knowledge.sessions.SessionStatus;

/**
 * A conversation in the list.
 *
 * @param path its page
 * @param messages how many there are, in words
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

    static SessionItem of(Session session, ReaderClock when) {
        return new SessionItem(
                session.key().text(),
                session.ref().path(),
                switch (session.type()) {
                    case MENTION -> "Mention";
                    case THREAD -> "Thread";
                    case EAVESDROP -> "Listened to";
                },
                session.isPublic(),
                session.status() == SessionStatus.ARCHIVED,
                session.messageCount() == 1 ? "1 message" : "%,d messages".formatted(session.messageCount()),
                when.ago(session.lastActiveAt()),
                when.exact(session.lastActiveAt()));
    }

    /** Where one of its forms is sent. */
    public String act(String what) {
        return path.replaceFirst("\\?", "/" + what + "?");
    }
}
