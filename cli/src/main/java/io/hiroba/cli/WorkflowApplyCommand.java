package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "apply", description = "Register a workflow, or a new version of it, as an admin.")
final class WorkflowApplyCommand extends RemoteCommand {

    @Parameters(paramLabel = "FILE", description = "The workflow in YAML, or in JSON if its name ends with .json.")
    private Path file = Path.of("");

    WorkflowApplyCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var type = file.toString().endsWith(".json") ? "application/json" : "application/yaml";
        answer(api().post("/api/v1/workflows", type, JsonInput.fromFile(file)), WorkflowApplyCommand::format);
    }

    private static String format(JsonNode made) {
        var name = made.path("name").asString("");
        int version = made.path("version").asInt(0);
        return made.path("enabled").asBoolean(true)
                ? text("workflow.applied", name, version)
                : text("workflow.applied-off", name, version);
    }
}
