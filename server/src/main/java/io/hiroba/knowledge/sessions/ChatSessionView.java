package io.hiroba.knowledge.sessions;

import io.hiroba.knowledge.DiscordId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session in the API. */
record ChatSessionView(
        String key,
        String ownedBy,
        SessionType type,
        String visibility,
        SessionStatus status,
        @Nullable String guildId,
        @Nullable String channelId,
        @Nullable String threadId,
        @Nullable String userId,
        int version,
        int messageCount,
        int lastArchivedMessageIndex,
        Instant createdAt,
        Instant lastActiveAt) {

    static ChatSessionView of(ChatSession session) {
        var context = session.context();
        return new ChatSessionView(
                session.key().text(),
                session.owner().hex(),
                session.type(),
                session.isPublic() ? "public" : "private",
                session.status(),
                DiscordId.textOf(context.guild()),
                DiscordId.textOf(context.channel()),
                DiscordId.textOf(context.thread()),
                DiscordId.textOf(context.user()),
                session.version(),
                session.messageCount(),
                session.archived(),
                session.createdAt(),
                session.lastActiveAt());
    }

    /** One message. */
    record MessageView(
            int index,
            MessageRole role,
            String content,
            @Nullable String author,
            @Nullable String messageId,
            Instant sentAt) {

        static MessageView of(ChatMessage message) {
            return new MessageView(
                    message.index(),
                    message.role(),
                    message.content(),
                    message.author(),
                    DiscordId.textOf(message.messageId()),
                    message.sentAt());
        }
    }

    /** @param olderBefore the value of {@code before} for older messages; null if there are none */
    record WithMessages(
            ChatSessionView session,
            List<MessageView> messages,
            @Nullable Integer olderBefore) {

        static WithMessages of(ChatSessions.Transcript transcript) {
            return new WithMessages(
                    ChatSessionView.of(transcript.session()),
                    transcript.messages().stream().map(MessageView::of).toList(),
                    transcript.olderBefore());
        }
    }
}
