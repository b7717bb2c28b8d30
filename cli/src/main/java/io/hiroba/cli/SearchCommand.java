package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "search",
        description =
                "Search posts in any language: words, \"a phrase\", -without, tag:name, from:nickname. Put the query"
                        + " in quotes, so that the shell leaves it alone.")
final class SearchCommand extends RemoteCommand {

    @Parameters(arity = "1..*", paramLabel = "QUERY", description = "What to look for.")
    private final List<String> words = new ArrayList<>();

    @Mixin
    private final PageOptions page = new PageOptions();

    SearchCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), "/api/v1/posts/search", "q", String.join(" ", words));
        show(found, posts -> new PostText(environment().terminal()).page(posts, text("list.nothing-found")));
        noteNext(found);
    }
}
