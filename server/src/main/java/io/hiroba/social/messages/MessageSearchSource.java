package io.hiroba.social.messages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Passage;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;

/** The messages of a person's own threads in the one search. */
final class MessageSearchSource implements SearchSource {

    private static final int SNIPPET_LENGTH = 200;

    private final DirectMessages messages;

    MessageSearchSource(DirectMessages messages) {
        this.messages = messages;
    }

    @Override
    public String type() {
        return "messages";
    }

    @Override
    public String icon() {
        return "mail";
    }

    @Override
    public int order() {
        return 65;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.MESSAGES_READ) && !caller.acting())
                .map(caller -> (typed, limit) -> find(caller, typed, limit));
    }

    private List<SearchResult> find(Caller caller, String typed, int limit) {
        var words = SearchWords.of(typed);
        if (words.isEmpty()) {
            return List.of();
        }
        return messages.search(caller, typed, Optional.empty(), limit).stream()
                .map(message -> new SearchResult(
                        message.sender().nickname(),
                        Passage.containing(Markdown.text(message.content()), words.words(), SNIPPET_LENGTH),
                        DirectMessagePages.path(message),
                        message.id().createdAt()))
                .toList();
    }
}
