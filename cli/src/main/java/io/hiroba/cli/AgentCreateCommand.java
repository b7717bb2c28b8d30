package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Make an agent, as an admin or a member who may make some.")
final class AgentCreateCommand extends RemoteCommand {

    @Parameters(paramLabel = "NICKNAME", description = "The name that people mention.")
    private String nickname = "";

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "The AI model that it runs on; without one, the built-in librarian.")
    private String model = "librarian";

    @Mixin
    private AgentSettings settings = new AgentSettings();

    AgentCreateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var body = settings.given();
        body.put("nickname", nickname);
        body.put("model", model);
        answer(
                api().post(AgentCommands.PATH, body),
                made -> text("agent.created", nickname, made.path("id").asString("")));
    }
}
