package io.hiroba.knowledge.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.knowledge.sessions.Message;
import io.hiroba.platform.web.SafeHtml;
import org.jspecify.annotations.Nullable;

/**
 * A message of a conversation.
 *
 * @param anchor its id on the page
 * @param note what stands above it: where what became knowledge ends
 */
public record MessageItem(
        String anchor,
        String role,
        String speaker,
        SafeHtml html,
        boolean isArchived,
        String when,
        String exact,
        @Nullable String note) {

    static MessageItem of(Message message, int archived, ReaderClock when) {
        return new MessageItem(
                message.anchor(),
                message.role().text(),
                message.author() != null
                        ? message.author()
                        : switch (message.role()) {
                            case USER -> "User";
                            case ASSISTANT -> "Assistant";
                            case SYSTEM -> "System";
                        },
                SafeHtml.ofMarkdown(message.content()),
                message.index() < archived,
                when.ago(message.sentAt()),
                when.exact(message.sentAt()),
                archived > 0 && message.index() == archived ? "Up to here it is knowledge" : null);
    }
}
