package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Passage;
import io.hiroba.platform.web.LocalPath;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A user's own inbox items in the one search, by title and namespace, among the first ones of each list. */
final class InboxSearchSource implements SearchSource {

    private static final Pattern WEB_URL = Pattern.compile("(?i)https?://[^\\s\\\\]+");
    /** The items of a list that are looked at. */
    private static final int MAX_READ = 300;

    private static final int SNIPPET_LENGTH = 200;

    private final Inbox inbox;

    InboxSearchSource(Inbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public String type() {
        return "inbox";
    }

    @Override
    public String icon() {
        return "inbox";
    }

    @Override
    public int order() {
        return 70;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.INBOX_READ))
                .map(caller -> (typed, limit) -> find(caller, SearchWords.ofFolded(typed), limit));
    }

    private List<SearchResult> find(Caller caller, SearchWords words, int limit) {
        if (words.isEmpty()) {
            return List.of();
        }
        return Stream.of(InboxView.TODO, InboxView.SNOOZED, InboxView.DONE)
                .flatMap(view -> inbox.list(caller, InboxFilter.of(view), Optional.empty(), MAX_READ).items().stream())
                .filter(item -> words.areIn(SearchWords.folded(text(item))))
                .limit(limit)
                .map(item -> new SearchResult(
                        item.resource().title(),
                        Passage.containing(text(item), words.words(), SNIPPET_LENGTH),
                        url(item.resource().url()),
                        item.createdAt()))
                .toList();
    }

    private static String text(InboxItem item) {
        return item.resource().title() + " · " + item.namespace().path();
    }

    /** Other programs supply URLs: only a local path or a web address may become a link. */
    private static String url(@Nullable String url) {
        return url != null && (LocalPath.isLocal(url) || WEB_URL.matcher(url).matches()) ? url : "/inbox";
    }
}
