package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Make an agent, as an admin.")
final class AgentCreateCommand extends RemoteCommand {

    @Parameters(paramLabel = "NICKNAME", description = "The name that people mention.")
    private String nickname = "";

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "The AI model that it runs on; without one, the built-in librarian.")
    private String model = "librarian";

    @Option(names = "--personality", paramLabel = "TEXT", description = "How it writes.")
    private String personality = "";

    @Option(names = "--instructions", paramLabel = "TEXT", description = "What it is for and how it goes about it.")
    private String instructions = "";

    @Option(names = "--tool", paramLabel = "TOOL", description = "A tool that it may use. May be repeated.")
    private List<String> tools = new ArrayList<>();

    AgentCreateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().post(
                                AgentCommands.PATH,
                                Map.of(
                                        "nickname",
                                        nickname,
                                        "model",
                                        model,
                                        "personality",
                                        personality,
                                        "instructions",
                                        instructions,
                                        "tools",
                                        tools)),
                made -> text("agent.created", nickname, made.path("id").asString("")));
    }
}
