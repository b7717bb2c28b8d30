package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.text.Passage;
import io.hiroba.social.search.PostSearchStore.Hit;
import java.util.List;
import java.util.Optional;

/**
 * Finds posts by what they say. Matches are ranked in windows of the newest {@value #WINDOW}: whoever reads on beyond
 * them gets the next window, so everything is found, and no search costs more for a word that is everywhere.
 */
public final class PostSearch {

    static final int WINDOW = 1000;
    private static final int PASSAGE = 200;

    private final Db db;
    private final PostSearchStore store = new PostSearchStore();
    private final int window;

    public PostSearch(Db db) {
        this(db, WINDOW);
    }

    PostSearch(Db db, int window) {
        this.db = db;
        this.window = window;
    }

    /**
     * A page of what {@code viewer} may see. At the end of a window it may hold fewer than {@code limit} posts although
     * there are more.
     */
    public SearchPage search(UserId viewer, SearchQuery query, SearchPosition after, int limit) {
        var hits = db.read(reads -> store.search(reads, viewer, query, after, window, limit + 1));
        var shown = hits.subList(0, Math.min(limit, hits.size()));
        boolean full = !hits.isEmpty() && hits.getFirst().matches() == window;
        boolean first = after.below() == SearchPosition.START.below();
        return new SearchPage(
                shown.stream().map(hit -> found(hit, query)).toList(), next(hits, shown, full), first && !full);
    }

    private static Optional<SearchPosition> next(List<Hit> hits, List<Hit> shown, boolean full) {
        if (hits.size() > shown.size()) {
            var last = shown.getLast();
            return Optional.of(new SearchPosition(
                    last.newest() + 1, last.score(), last.card().id().value()));
        }
        return full ? Optional.of(SearchPosition.window(hits.getLast().oldest())) : Optional.empty();
    }

    private static FoundPost found(Hit hit, SearchQuery query) {
        return new FoundPost(hit.card(), Passage.of(Markdown.text(hit.content()), query.words(), PASSAGE));
    }
}
