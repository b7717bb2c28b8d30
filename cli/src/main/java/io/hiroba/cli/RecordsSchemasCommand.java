package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "schemas", description = "List the schemas of a project.")
final class RecordsSchemasCommand extends RemoteCommand {

    @Parameters(paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    RecordsSchemasCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        answer(api.get(RecordsCommands.project(api, project) + "/schemas"), SchemaListCommand::table);
    }
}
