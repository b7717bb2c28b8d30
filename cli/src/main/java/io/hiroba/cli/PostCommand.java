package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "post",
        description = "Post a text (Markdown), or show or delete a post.",
        subcommands = {PostShowCommand.class, PostDeleteCommand.class})
final class PostCommand extends RemoteCommand {

    @Mixin
    private final TextInput text = new TextInput();

    @Option(names = "--tag", paramLabel = "NAME", description = "File it under this tag; up to five times.")
    private final List<String> tags = new ArrayList<>();

    @Option(names = "--reply-to", paramLabel = "ID", description = "Answer this post.")
    private @Nullable String replyTo;

    @Option(names = "--no-likes", description = "Let nobody like it.")
    private boolean noLikes;

    @Option(names = "--no-replies", description = "Let nobody reply to it.")
    private boolean noReplies;

    PostCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var body = new HashMap<String, Object>();
        body.put("content", text.read(environment()));
        body.put("tags", tags);
        body.put("allowLikes", !noLikes);
        body.put("allowReplies", !noReplies);
        if (replyTo != null) {
            body.put("replyTo", replyTo);
        }
        var made = api.create("/api/v1/posts", UUID.randomUUID().toString(), body);
        var id = made.path("id").asString("");
        answer(made, post -> text("post.made", id) + "\n" + api.server().resolve("/posts/" + id));
    }
}
