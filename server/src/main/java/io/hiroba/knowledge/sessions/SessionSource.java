package io.hiroba.knowledge.sessions;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.documents.TextSplitter;
import io.hiroba.knowledge.documents.TokenCounter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A part of a session as a source: the new messages, after up to {@value #OVERLAP} of the part before as context.
 *
 * @param end the index after the last message
 */
record SessionSource(NewSource source, List<NewChunk> chunks, int end) {

    static final int WINDOW = 5;
    static final int OVERLAP = 2;
    private static final int MAX_TITLE_LENGTH = 50;
    private static final int MAX_PARTICIPANTS = 50;

    /**
     * @param messages from up to {@link #OVERLAP} before the first new one on
     * @param maxTokens the maximum size of a chunk; larger windows are split
     */
    static SessionSource of(ChatSession session, List<ChatMessage> messages, int maxTokens) {
        var fresh = messages.stream()
                .filter(message -> message.index() >= session.archived())
                .toList();
        var title = title(fresh);
        var chunks = new ArrayList<NewChunk>();
        for (int from = 0; ; from += WINDOW - OVERLAP) {
            int to = Math.min(messages.size(), from + WINDOW);
            addChunks(chunks, session, title, messages.subList(from, to), maxTokens);
            if (to == messages.size()) {
                break;
            }
        }
        return new SessionSource(
                source(session, title, fresh), chunks, messages.getLast().index() + 1);
    }

    private static NewSource source(ChatSession session, String title, List<ChatMessage> fresh) {
        int first = fresh.getFirst().index();
        var metadata = new LinkedHashMap<String, Object>();
        metadata.put("origin_session_id", session.id().hex());
        metadata.put(SessionKey.METADATA, session.key().text());
        metadata.put("first_message_index", first);
        metadata.put("message_count", fresh.size());
        metadata.put("participants", participants(fresh));
        putId(metadata, "channel_id", session.context().channel());
        return new NewSource(
                session.owner(),
                session.isPublic(),
                SourceType.DISCORD_SESSION,
                title,
                session.ref().path(),
                ChatSessionStore.origin(session.id()) + first,
                null,
                new Place(session.context().channel(), session.context().user()),
                metadata);
    }

    /** The first message of a user, or else of anybody. */
    private static String title(List<ChatMessage> fresh) {
        var said = fresh.stream()
                .filter(message -> message.role() == MessageRole.USER)
                .findFirst()
                .orElse(fresh.getFirst())
                .content()
                .strip()
                .replaceAll("\\s+", " ");
        return said.codePointCount(0, said.length()) <= MAX_TITLE_LENGTH
                ? said
                : said.substring(0, said.offsetByCodePoints(0, MAX_TITLE_LENGTH));
    }

    private static List<String> participants(List<ChatMessage> fresh) {
        return fresh.stream()
                .map(ChatMessage::speaker)
                .distinct()
                .limit(MAX_PARTICIPANTS)
                .toList();
    }

    private static void addChunks(
            List<NewChunk> chunks, ChatSession session, String title, List<ChatMessage> window, int maxTokens) {
        var text = window.stream()
                .map(message -> message.speaker() + ": " + message.content())
                .collect(Collectors.joining("\n\n"));
        var location = location(session, window);
        var pieces = TokenCounter.fit(text, maxTokens) ? List.of(text) : TextSplitter.split(text, maxTokens);
        for (var piece : pieces) {
            chunks.add(NewChunk.of(title, piece, location, TokenCounter.count(piece)));
        }
    }

    private static ChunkLocation location(ChatSession session, List<ChatMessage> window) {
        int first = window.getFirst().index();
        int last = window.getLast().index();
        var named = window.stream()
                .filter(message -> message.messageId() != null)
                .findFirst()
                .map(ChatMessage::messageId)
                .orElse(null);
        var details = new LinkedHashMap<String, Object>();
        details.put("message_index", first);
        details.put("last_message_index", last);
        putId(details, "message_id", named);
        putId(details, "channel_id", session.context().channel());
        return new ChunkLocation(
                url(session, window.getFirst(), named), ChunkLocation.messagesLabel("#", first, last), details);
    }

    private static String url(ChatSession session, ChatMessage first, @Nullable Long named) {
        var context = session.context();
        // In Discord, a thread is a channel.
        var channel = context.thread() == null ? context.channel() : context.thread();
        return context.guild() == null || channel == null || named == null
                ? session.ref().path() + "#" + first.anchor()
                : "https://discord.com/channels/%d/%d/%d".formatted(context.guild(), channel, named);
    }

    private static void putId(Map<String, Object> values, String name, @Nullable Long id) {
        if (id != null) {
            values.put(name, Long.toString(id));
        }
    }
}
