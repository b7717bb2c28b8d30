package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Passage;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;

/** A user's own conversations in the one search, by the words of their latest messages. */
final class ConversationSearch implements SearchSource {

    private static final int SNIPPET_LENGTH = 240;

    private final Db db;
    private final ConversationSearchStore store = new ConversationSearchStore();

    ConversationSearch(Db db) {
        this.db = db;
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
                .map(caller -> (typed, limit) -> find(caller, SearchWords.of(typed), limit));
    }

    private List<SearchResult> find(Caller caller, SearchWords words, int limit) {
        if (words.isEmpty()) {
            return List.of();
        }
        return db.read(reads -> store.search(reads, caller.user(), words, limit)).stream()
                .map(found -> new SearchResult(
                        found.key().text(),
                        Passage.containing(found.content(), words.words(), SNIPPET_LENGTH),
                        new SessionRef(caller.user(), found.key()).path(),
                        found.sentAt()))
                .toList();
    }
}
