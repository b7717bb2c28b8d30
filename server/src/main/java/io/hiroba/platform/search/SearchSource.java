package io.hiroba.platform.search;

import gg.jte.Content;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.platform.web.Shell;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A kind of things that a feature lets people find in the one search. */
public interface SearchSource {

    /** The name in addresses and in the API, for example {@code posts}; its label is the message {@code search.type.posts}. */
    String type();

    /** The name of a symbol in {@code icons.svg}. */
    String icon();

    /** The place of its tab: the lowest is first. */
    int order();

    /** The search in the name of the request's caller; empty if there is nothing for them, or their token does not reach it. */
    Optional<Finder> finder(Context ctx);

    /**
     * The results in a form of their own, for their tab; empty for the plain list. A query that it refuses is a
     * {@link io.hiroba.platform.problem.Problem}.
     */
    default Optional<ResultPage> page(Shell shell, Context ctx, String typed) {
        return Optional.empty();
    }

    /**
     * A page of results in a form of their own.
     *
     * @param count how many they are
     * @param more whether there may be more
     */
    record ResultPage(Content content, int count, boolean more) {}

    /** A search of one caller, for any thread. */
    @FunctionalInterface
    interface Finder {

        /** At most {@code limit} results, the best first. */
        List<SearchResult> find(String typed, int limit);
    }

    /**
     * A result of a search.
     *
     * @param snippet the part of its text that matches; empty if there is none
     * @param url a path of Hiroba, or an address in the web
     * @param at when it was written or last changed, if that is known
     */
    record SearchResult(
            String title,
            List<Piece> snippet,
            String url,
            @Nullable Instant at) {

        public SearchResult {
            snippet = List.copyOf(snippet);
        }
    }
}
