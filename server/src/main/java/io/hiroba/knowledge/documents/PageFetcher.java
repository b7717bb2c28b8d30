package io.hiroba.knowledge.documents;

/** Fetches the page at a URL. */
@FunctionalInterface
public interface PageFetcher {

    /** Fetches the page at {@code url}; failures are problems with the reason. */
    FetchedPage fetch(String url);
}
