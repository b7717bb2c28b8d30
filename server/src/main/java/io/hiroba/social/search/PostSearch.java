package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.text.Passage;
import io.hiroba.platform.text.VocabularyStore;
import io.hiroba.social.search.PostSearchPage.FoundPost;
import io.hiroba.social.search.PostSearchQuery.Terms;
import io.hiroba.social.search.PostSearchStore.Hit;
import io.hiroba.social.search.PostSearchStore.Window;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Searches posts by their text. Matches are ranked in windows of {@value #WINDOW}, the newest first: later pages come from
 * the next window, so that everything is found and a very common word costs one window.
 *
 * <p>A window also ends after {@value #MAX_SCANNED_PER_MATCH} scanned posts for each match it may hold, so that a phrase of
 * common words that rarely occurs costs a bounded part of the history for each page.
 */
public final class PostSearch {

    static final int WINDOW = 1000;
    /** The most posts with the words of a query that are scanned for one match. */
    static final int MAX_SCANNED_PER_MATCH = 20;

    static final VocabularyStore VOCABULARY = new VocabularyStore("social");

    private static final int PASSAGE_LENGTH = 200;

    private final Db db;
    private final PostSearchStore store = new PostSearchStore();
    private final PartialWords parts = new PartialWords(VOCABULARY);
    private final int window;

    PostSearch(Db db) {
        this(db, WINDOW);
    }

    PostSearch(Db db, int window) {
        this.db = db;
        this.window = window;
    }

    /**
     * A page of matches that {@code viewer} may see. At the end of a window it may hold fewer than {@code limit} posts, or
     * none, although there are more.
     */
    public PostSearchPage search(UserId viewer, PostSearchQuery query, PostSearchPosition after, int limit) {
        if (after.parts()) {
            return db.read(reads -> parts.expand(reads, query))
                    .map(terms -> page(viewer, query, terms, after, limit))
                    .orElse(new PostSearchPage(List.of(), Optional.empty(), true));
        }
        var words = page(viewer, query, query.wholeWords(), after, limit);
        if (words.next().isPresent()) {
            return words;
        }
        return db.read(reads -> parts.expand(reads, query))
                .map(terms -> followed(viewer, query, terms, words, limit))
                .orElse(words);
    }

    /** The last page of the words themselves, followed by posts that hold them as parts of longer ones. */
    private PostSearchPage followed(
            UserId viewer, PostSearchQuery query, Terms terms, PostSearchPage words, int limit) {
        int room = limit - words.posts().size();
        if (room == 0) {
            return new PostSearchPage(words.posts(), Optional.of(PostSearchPosition.PARTS), words.allRanked());
        }
        var rest = page(viewer, query, terms, PostSearchPosition.PARTS, room);
        return new PostSearchPage(
                Stream.concat(words.posts().stream(), rest.posts().stream()).toList(),
                rest.next(),
                words.allRanked() && rest.allRanked());
    }

    private PostSearchPage page(
            UserId viewer, PostSearchQuery query, Terms terms, PostSearchPosition after, int limit) {
        var found = db.read(reads -> store.search(reads, viewer, query, terms, after, window, limit + 1));
        var shown = found.hits().subList(0, Math.min(limit, found.hits().size()));
        return new PostSearchPage(
                shown.stream().map(hit -> found(hit, terms)).toList(),
                next(found, shown, after),
                after.first() && found.reached() == 0);
    }

    private static Optional<PostSearchPosition> next(Window found, List<Hit> shown, PostSearchPosition after) {
        if (found.hits().size() > shown.size()) {
            var last = shown.getLast();
            return Optional.of(new PostSearchPosition(
                    found.newest() + 1,
                    found.reached(),
                    last.score(),
                    last.card().id().value(),
                    after.first(),
                    after.parts()));
        }
        return found.reached() > 0
                ? Optional.of(PostSearchPosition.window(found.reached(), after.parts()))
                : Optional.empty();
    }

    private static FoundPost found(Hit hit, Terms terms) {
        return new FoundPost(hit.card(), Passage.of(Markdown.text(hit.content()), terms.shown(), PASSAGE_LENGTH));
    }
}
