package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "payload", description = "Change the payload of a saga, for the calls to come.")
final class SagaPayloadCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why it is changed.")
    private String reason = "";

    @Mixin
    private final JsonInput payload = new JsonInput();

    SagaPayloadCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var given = payload.read();
        if (given == null) {
            throw Failure.usage(text("input.payload-or-file"));
        }
        answer(
                api().patch(SagaCommands.path(id), Map.of("payload", given, "reason", reason)),
                saga -> text("saga.acted", id, SagaCommands.status(saga)));
    }
}
