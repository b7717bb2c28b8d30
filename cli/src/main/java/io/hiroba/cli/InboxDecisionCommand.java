package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that decides the approval that an item asks for. */
abstract class InboxDecisionCommand extends RemoteCommand {

    @Parameters(
            index = "0",
            paramLabel = "ID",
            description = "The item: its id, or a part of it that only one of the newest has.")
    private String id = "";

    @Option(names = "--comment", paramLabel = "TEXT", description = "Why.")
    private String comment = "";

    @Option(
            names = "--answer",
            paramLabel = "FIELD=VALUE",
            description = "The answer to a field of the form; can be repeated.")
    private Map<String, String> answers = new LinkedHashMap<>();

    private final String decision;

    InboxDecisionCommand(CliEnvironment environment, String decision) {
        super(environment);
        this.decision = decision;
    }

    @Override
    void run() {
        var api = api();
        var item = InboxCommands.ids(api, List.of(id)).getFirst();
        answer(
                api.post(
                        InboxCommands.PATH + "/" + item + "/" + decision,
                        Map.of("comment", comment, "answers", answers)),
                decided -> text(
                        "inbox.decided." + decision,
                        decided.path("resource").path("title").asString("")));
    }
}
