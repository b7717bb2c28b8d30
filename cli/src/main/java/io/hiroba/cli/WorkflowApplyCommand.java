package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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
        answer(
                api().post("/api/v1/workflows", type, JsonInput.fromFile(file)),
                made -> made.path("enabled").asBoolean(true) ? text("workflow.applied", made.path("name").asString(""), made.path("version").asInt(0)) : text("workflow.applied-off", made.path("name").asString(""), made.path("version").asInt(0)));
    }
}
