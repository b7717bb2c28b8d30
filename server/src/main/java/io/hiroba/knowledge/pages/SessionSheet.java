package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.knowledge.sessions.Transcript;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with some of its messages.
 *
 * @param isMine whether the reader may change it
 * @param isArchivable whether something was said that is not knowledge yet
 * @param older where the messages before these are, if there are any
 * @param newest where the last messages are, if these are not they
 * @param end what stands below the last message: that all is knowledge
 */
public record SessionSheet(
        SessionItem item,
        boolean isMine,
        boolean isArchivable,
        List<MessageItem> messages,
        @Nullable String older,
        @Nullable String newest,
        @Nullable String end) {

    public SessionSheet {
        messages = List.copyOf(messages);
    }

    static SessionSheet of(Transcript transcript, Caller caller, ReaderClock when) {
        var session = transcript.session();
        var item = SessionItem.of(session, when);
        var older = transcript.olderBefore();
        var shown = transcript.messages();
        boolean isToTheEnd = shown.isEmpty() || shown.getLast().index() == session.messageCount() - 1;
        boolean isAllKnown = session.messageCount() > 0 && session.archived() == session.messageCount();
        return new SessionSheet(
                item,
                caller.mayChange(session.owner()),
                session.archived() < session.messageCount(),
                shown.stream()
                        .map(message -> MessageItem.of(message, session.archived(), when))
                        .toList(),
                older == null ? null : item.path() + "&before=" + older,
                isToTheEnd ? null : item.path(),
                isToTheEnd && isAllKnown ? "All of it is knowledge" : null);
    }
}
