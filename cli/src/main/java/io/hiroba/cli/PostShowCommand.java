package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show one post as it was written.")
final class PostShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The post's id, 16 hex digits.")
    private String id = "";

    PostShowCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        show(api().get("/api/v1/posts/" + Paths.segment(id)), new PostText(around().terminal())::whole);
    }
}
