package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "signal", description = "Tell a saga what it waits for, an approval for example.")
final class SagaSignalCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "The signal's name.")
    private String name = "";

    @Mixin
    private final JsonInput payload = new JsonInput();

    SagaSignalCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var given = payload.read();
        answer(
                api().post(
                                SagaCommands.path(id) + "/signals/" + UrlPaths.segment(name),
                                "application/json",
                                given == null ? "" : CliJson.text(given)),
                saga -> text("saga.signalled", id, name));
    }
}
