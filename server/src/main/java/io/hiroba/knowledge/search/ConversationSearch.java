package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.knowledge.search.Conversations.FoundConversation;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.knowledge.sessions.ChatSessions.FoundMessage;
import io.hiroba.knowledge.sessions.SessionRef;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Passage;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A user's own conversations in the one search: those with the assistant by the words of their questions and answers, and chat
 * sessions by the words of their latest messages.
 */
final class ConversationSearch implements SearchSource {

    private static final int SNIPPET_LENGTH = 240;

    private final Conversations conversations;
    private final ChatSessions sessions;

    ConversationSearch(Conversations conversations, ChatSessions sessions) {
        this.conversations = conversations;
        this.sessions = sessions;
    }

    @Override
    public String type() {
        return "conversations";
    }

    @Override
    public String icon() {
        return "chat";
    }

    @Override
    public int order() {
        return 50;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.KNOWLEDGE_READ))
                .map(caller -> (typed, limit) -> find(caller, SearchWords.ofFolded(typed), limit));
    }

    private List<SearchResult> find(Caller caller, SearchWords words, int limit) {
        if (words.isEmpty()) {
            return List.of();
        }
        var chats = conversations.find(caller, words, Optional.empty(), limit).stream()
                .map(found -> result(found, words));
        var messages = sessions.find(caller, words, limit).stream().map(found -> result(caller, found, words));
        return Stream.concat(chats, messages)
                .sorted(Comparator.comparing(SearchResult::at).reversed())
                .limit(limit)
                .toList();
    }

    private static SearchResult result(FoundConversation found, SearchWords words) {
        var conversation = found.conversation();
        return new SearchResult(
                conversation.title(),
                Passage.containing(found.text(), words.words(), SNIPPET_LENGTH),
                "/knowledge/chat/" + conversation.id().hex(),
                conversation.lastActiveAt());
    }

    private static SearchResult result(Caller caller, FoundMessage found, SearchWords words) {
        return new SearchResult(
                found.key().text(),
                Passage.containing(found.content(), words.words(), SNIPPET_LENGTH),
                new SessionRef(caller.user(), found.key()).path(),
                found.sentAt());
    }
}
