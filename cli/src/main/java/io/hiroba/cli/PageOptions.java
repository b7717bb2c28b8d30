package io.hiroba.cli;

import java.util.ArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The options that select a part of a list. */
final class PageOptions {

    @Option(names = "--limit", paramLabel = "N", description = "How many at most; with --all, how many at a time.")
    private @Nullable Integer limit;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on after the page that ended with this.")
    private @Nullable String after;

    @Option(names = "--all", description = "Go on to the end of the list.")
    private boolean all;

    /** Gets the requested page, or with {@code --all} all pages from there on as one. */
    JsonNode get(Api api, String path, @Nullable Object... namesAndValues) {
        var page = get(api, path, after, namesAndValues);
        if (!all) {
            return page;
        }
        var items = new ArrayList<JsonNode>();
        page.path("items").forEach(items::add);
        for (String next = next(page); !next.isEmpty(); next = next(page)) {
            page = get(api, path, next, namesAndValues);
            page.path("items").forEach(items::add);
        }
        return CliJson.page(items);
    }

    /** The items of all pages of a list. */
    static Stream<JsonNode> all(Api api, String path) {
        var whole = new PageOptions();
        whole.all = true;
        return whole.get(api, path).path("items").valueStream();
    }

    private JsonNode get(Api api, String path, @Nullable String from, @Nullable Object... namesAndValues) {
        var filters = UrlPaths.query(namesAndValues);
        var position = UrlPaths.query("limit", limit, "after", from);
        return api.get(path + filters + (filters.isEmpty() ? position : position.replaceFirst("^\\?", "&")));
    }

    private static String next(JsonNode page) {
        return page.path("next").asString("");
    }
}
