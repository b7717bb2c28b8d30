package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "migrate", description = "Move a saga to a newer version of its workflow.")
final class SagaMigrateCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    @Option(names = "--to-version", paramLabel = "N", description = "The version; the newest by default.")
    private @Nullable Integer version;

    SagaMigrateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var path = SagaCommands.path(id);
        answer(
                api.post(path + "/migrate", Map.of("version", version == null ? newest(api, path) : version)),
                saga -> text("saga.acted", id, SagaCommands.status(saga)));
    }

    private static int newest(Api api, String path) {
        var workflow = api.get(path).path("workflowName").asString("");
        return api.get("/api/v1/workflows/" + UrlPaths.segment(workflow))
                .path("version")
                .asInt(0);
    }
}
