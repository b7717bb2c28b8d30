package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "delete", description = "Delete a post of yours; its replies stay.")
final class PostDeleteCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The post's id, 16 hex digits.")
    private String id = "";

    PostDeleteCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        api().delete("/api/v1/posts/" + UrlPaths.segment(id));
        answer(CliJson.object("deleted", id), done -> text("post.deleted", id));
    }
}
