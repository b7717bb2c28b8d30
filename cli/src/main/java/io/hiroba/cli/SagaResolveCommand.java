package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "resolve", description = "Resolve a saga by hand: skip a step, mark it as done, or end the saga.")
final class SagaResolveCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    @Parameters(
            index = "1",
            paramLabel = "ACTION",
            description = "skip, a step; complete, a step or the saga; fail, the saga; or undo, the last of these.")
    private String action = "";

    @Option(
            names = "--step",
            paramLabel = "NAME",
            description = "The step that it is about; skip needs none where only one is open.")
    private @Nullable String step;

    @Option(names = "--answer", paramLabel = "JSON", description = "The answer of a step that is marked as done.")
    private @Nullable String answer;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; required to end a saga.")
    private @Nullable String reason;

    SagaResolveCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var body = new LinkedHashMap<String, Object>();
        body.put("action", action);
        if (step != null) {
            body.put("step", step);
        }
        if (answer != null) {
            body.put("answer", CliJson.read(answer).orElseThrow(() -> Failure.usage(text("input.not-json"))));
        }
        if (reason != null) {
            body.put("reason", reason);
        }
        answer(
                api().post(SagaCommands.path(id) + "/resolve", "application/json", CliJson.write(body)),
                saga -> text("saga.acted", id, SagaCommands.status(saga)));
    }
}
