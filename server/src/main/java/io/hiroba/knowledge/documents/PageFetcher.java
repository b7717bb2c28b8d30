package io.hiroba.knowledge.documents;

/** Fetches the page at a URL. */
@FunctionalInterface
public interface PageFetcher {

    /** The page at {@code url}; whatever goes wrong is a problem that says what. */
    FetchedPage fetch(String url);
}
