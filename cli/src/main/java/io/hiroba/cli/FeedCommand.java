package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "feed", description = "Read posts: of those you follow, or everybody's.")
final class FeedCommand extends RemoteCommand {

    @Option(names = "--newest", description = "Everybody's posts, the newest first.")
    private boolean newest;

    @Option(names = "--user", paramLabel = "ID", description = "Only posts of this user.")
    private @Nullable String user;

    @Option(names = "--tag", paramLabel = "NAME", description = "Only posts under this tag.")
    private @Nullable String tag;

    @Mixin
    private final PageOptions page = new PageOptions();

    FeedCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        boolean home = !newest && user == null && tag == null;
        var found =
                home ? page.get(api(), "/api/v1/feed") : page.get(api(), "/api/v1/posts", "ownedBy", user, "tag", tag);
        show(
                found,
                posts -> new PostText(environment().terminal())
                        .page(posts, home ? text("feed.empty") : text("feed.no-posts")));
        noteNext(found);
    }
}
