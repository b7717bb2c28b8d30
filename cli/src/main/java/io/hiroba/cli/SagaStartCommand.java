package io.hiroba.cli;

import java.util.HashMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "start", description = "Start a saga.")
final class SagaStartCommand extends RemoteCommand {

    @Parameters(paramLabel = "WORKFLOW", description = "The workflow's name.")
    private String workflow = "";

    @Option(names = "--correlation-id", paramLabel = "ID", description = "What you know it by, to find it again.")
    private @Nullable String correlation;

    @Mixin
    private final JsonInput payload = new JsonInput();

    SagaStartCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        var body = new HashMap<String, Object>();
        body.put("workflowName", workflow);
        var given = payload.read();
        if (given != null) {
            body.put("payload", given);
        }
        if (correlation != null) {
            body.put("correlationId", correlation);
        }
        answer(
                api().create(SagaCommands.PATH, UUID.randomUUID().toString(), body),
                started -> "Started " + started.path("id").asString(""));
    }
}
