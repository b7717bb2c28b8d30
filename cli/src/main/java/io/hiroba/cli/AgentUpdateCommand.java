package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "update", description = "Change settings of an agent of yours, or as an admin of any; the others stay.")
final class AgentUpdateCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The agent's id, from the list.")
    private String id = "";

    @Option(names = "--nickname", paramLabel = "NAME", description = "The name that people mention.")
    private @Nullable String nickname;

    @Option(names = "--model", paramLabel = "MODEL", description = "The AI model that it runs on.")
    private @Nullable String model;

    @Option(names = "--enabled", arity = "1", paramLabel = "true|false", description = "Whether it answers at all.")
    private @Nullable Boolean enabled;

    @Option(names = "--no-tools", description = "Take all tools away.")
    private boolean takesTools;

    @Option(names = "--everybody", description = "Let everybody call it.")
    private boolean isForEverybody;

    @Mixin
    private AgentSettings settings = new AgentSettings();

    AgentUpdateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var body = settings.given();
        AgentSettings.put(body, "nickname", nickname);
        AgentSettings.put(body, "model", model);
        AgentSettings.put(body, "enabled", enabled);
        AgentSettings.put(body, "tools", takesTools ? List.of() : null);
        AgentSettings.put(body, "callers", isForEverybody ? List.of() : null);
        if (body.isEmpty()) {
            throw Failure.usage(text("agent.nothing-given"));
        }
        answer(
                api().patch(AgentCommands.PATH + "/" + UrlPaths.segment(id), body),
                changed -> text("agent.changed", changed.path("nickname").asString("")));
    }
}
