package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

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

    @Option(
            names = "--priority",
            paramLabel = "NUMBER",
            description = "0 to 9, 5 by default: the higher, the sooner it is taken up where nodes are busy.")
    private @Nullable Integer priority;

    @Option(
            names = "--wait",
            description =
                    "Follow it to its end, as watch does: 4 if it is FAILED, 5 if it is CANCELLED, 6 if it is stuck.")
    private boolean wait;

    @Mixin
    private final JsonInput payload = new JsonInput();

    SagaStartCommand(CliEnvironment environment) {
        super(environment);
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
        if (priority != null) {
            body.put("priority", priority);
        }
        var api = api();
        var started = api.create(SagaCommands.PATH, UUID.randomUUID().toString(), body);
        var id = started.path("id").asString("");
        if (wait) {
            note(text("saga.started", id));
            new SagaFollower(this, api, id).follow();
        } else {
            answer(started, made -> text("saga.started", id));
        }
    }
}
