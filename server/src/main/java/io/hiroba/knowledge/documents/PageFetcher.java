package io.hiroba.knowledge.documents;

import org.jspecify.annotations.Nullable;

/** Fetches the page at a URL. */
@FunctionalInterface
public interface PageFetcher {

    /** Fetches the page at {@code url}; failures are problems with the reason. */
    FetchedPage fetch(String url);

    /**
     * Fetches the page at {@code url} unless it is as it was.
     *
     * @param validators those of the page as it was, or an empty text
     */
    default Look look(String url, String validators) {
        return new Look(fetch(url), false);
    }

    /** An address in the one spelling in which it is fetched; what is none is a problem. */
    static String normalized(String url) {
        return WebUrl.parse(url).toString();
    }

    /**
     * The outcome of another look at a page.
     *
     * @param page null if it is as it was, or gone
     * @param isGone whether the server says that there is none
     */
    record Look(@Nullable FetchedPage page, boolean isGone) {}
}
