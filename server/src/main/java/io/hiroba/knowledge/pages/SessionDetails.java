package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.sessions.ChatMessage;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.web.SafeHtml;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session with a page of its messages.
 *
 * @param isMine whether the reader may edit it
 * @param isArchivable whether it has messages that are not archived
 * @param older the URL of the messages before these, if any
 * @param newest the URL of the newest messages, if these are not
 * @param end shown below the last message: that all are archived
 */
public record SessionDetails(
        SessionItem item,
        boolean isMine,
        boolean isArchivable,
        List<Message> messages,
        @Nullable String older,
        @Nullable String newest,
        @Nullable String end) {

    public SessionDetails {
        messages = List.copyOf(messages);
    }

    static SessionDetails of(ChatSessions.Transcript transcript, Caller caller, Reader reader) {
        var session = transcript.session();
        var item = SessionItem.of(session, reader);
        var older = transcript.olderBefore();
        var shown = transcript.messages();
        boolean isNewest = shown.isEmpty() || shown.getLast().index() == session.messageCount() - 1;
        boolean isAllArchived = session.messageCount() > 0 && session.archived() == session.messageCount();
        return new SessionDetails(
                item,
                caller.mayChange(session.owner()),
                session.archived() < session.messageCount(),
                shown.stream()
                        .map(message -> Message.of(message, session.archived(), reader))
                        .toList(),
                older == null ? null : item.path() + "&before=" + older,
                isNewest ? null : item.path(),
                isNewest && isAllArchived ? reader.text("knowledge.session.all-archived") : null);
    }

    /**
     * A message of a session.
     *
     * @param anchor its id on the page
     * @param note shown above it: where the archived messages end
     */
    public record Message(
            String anchor,
            String role,
            String speaker,
            SafeHtml html,
            boolean isArchived,
            String when,
            String exact,
            @Nullable String note) {

        static Message of(ChatMessage message, int archived, Reader reader) {
            return new Message(
                    message.anchor(),
                    message.role().text(),
                    message.author() != null
                            ? message.author()
                            : reader.text(
                                    "knowledge.session.role-" + message.role().text()),
                    SafeHtml.ofMarkdown(message.content()),
                    message.index() < archived,
                    reader.ago(message.sentAt()),
                    reader.exact(message.sentAt()),
                    archived > 0 && message.index() == archived
                            ? reader.text("knowledge.session.archived-here")
                            : null);
        }
    }
}
