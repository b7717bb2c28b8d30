package io.hiroba.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which page of a list. */
final class PageOptions {

    @Option(names = "--limit", paramLabel = "N", description = "How many at most.")
    private @Nullable Integer limit;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on after the page that ended with this.")
    private @Nullable String after;

    @Nullable
    Integer limit() {
        return limit;
    }

    @Nullable
    String after() {
        return after;
    }
}
