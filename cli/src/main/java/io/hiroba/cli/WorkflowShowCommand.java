package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Show a workflow as it was written.")
final class WorkflowShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "NAME", description = "The workflow's name.")
    private String name = "";

    @Option(names = "--version", paramLabel = "N", description = "Which version, if not the newest.")
    private @Nullable Integer version;

    WorkflowShowCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().get("/api/v1/workflows/" + UrlPaths.segment(name) + UrlPaths.query("version", version)),
                workflow -> head(workflow) + "\n" + workflow.path("definition").asString(""));
    }

    private static String head(JsonNode workflow) {
        int number = workflow.path("version").asInt(0);
        return workflow.path("enabled").asBoolean(true)
                ? text("workflow.shown", number)
                : text("workflow.shown-off", number);
    }
}
