package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "ask", description = "Ask what you may read; the answer says where it comes from.")
final class KnowledgeAskCommand extends RemoteCommand {

    private static final String ASK = KnowledgeCommands.PATH + "/ask";

    @Parameters(arity = "1..*", paramLabel = "QUESTION", description = "What you want to know.")
    private final List<String> words = new ArrayList<>();

    @Option(
            names = "--session",
            paramLabel = "KEY",
            description = "The conversation that it is a part of, such as thread:42; it is made if need be.")
    private @Nullable String session;

    private String event = "";
    private boolean spoke;
    private boolean failed;
    private @Nullable JsonNode reply;

    KnowledgeAskCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var question = new HashMap<String, Object>();
        question.put("question", String.join(" ", words));
        if (session != null) {
            question.put("sessionKey", session);
        }
        if (isForProgram()) {
            answer(api.post(ASK, question), JsonNode::toString);
            return;
        }
        api.listen(ASK, question, this::hear);
        var known = reply;
        if (known == null && failed) {
            return;
        }
        if (known == null) {
            throw Failure.of(Cli.UNREACHABLE, "cli.broken-off", text("failure.broken-off"));
        }
        end(api, known);
    }

    /** Handles a line of the event stream. */
    private void hear(String line) {
        if (line.startsWith("event:")) {
            event = line.substring("event:".length()).strip();
        } else if (line.startsWith("data:")) {
            var data = CliJson.read(line.substring("data:".length()).strip());
            switch (event) {
                case "delta" ->
                    data.ifPresent(piece -> printPart(piece.path("text").asString("")));
                case "done" -> reply = data.orElse(null);
                case "problem" -> data.ifPresent(this::fail);
                default -> {}
            }
        }
    }

    private void printPart(String words) {
        spoke = true;
        environment().out().print(Text.printable(words));
        environment().out().flush();
    }

    private void fail(JsonNode problem) {
        if (spoke) {
            environment().out().println();
        }
        warn(problem.path("detail").asString(text("failure.no-words")));
        failed = true;
        exitWith(Cli.FAILED);
    }

    private void end(Api api, JsonNode known) {
        boolean byModel = known.path("mode").asString("").equals("model");
        if (!byModel) {
            note(known.path("why").asString(""));
            environment().out().println(Text.printable(known.path("answer").asString("")));
        } else if (spoke) {
            environment().out().println();
        }
        for (var citation : known.path("citations")) {
            environment()
                    .out()
                    .println("[%d] %s, %s  %s"
                            .formatted(
                                    citation.path("number").asInt(0),
                                    Text.cell(citation.path("sourceTitle").asString("")),
                                    Text.cell(citation.path("label").asString("")),
                                    Text.cell(KnowledgeCommands.url(api, citation))));
        }
    }
}
