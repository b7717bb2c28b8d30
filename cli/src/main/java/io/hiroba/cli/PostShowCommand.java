package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show one post as it was written.")
final class PostShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The post's id, 16 hex digits.")
    private String id = "";

    PostShowCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        show(
                api().get("/api/v1/posts/" + UrlPaths.segment(id)),
                new PostText(environment().terminal())::whole);
    }
}
