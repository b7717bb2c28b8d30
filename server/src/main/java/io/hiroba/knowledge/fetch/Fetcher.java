package io.hiroba.knowledge.fetch;

/** Gets what an address leads to. */
@FunctionalInterface
public interface Fetcher {

    /** The page at {@code url}; whatever goes wrong is a problem that says what. */
    FetchedPage fetch(String url);
}
