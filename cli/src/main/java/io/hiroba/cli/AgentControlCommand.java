package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** A command that pauses an agent or lets it go on; without one all of them, as an admin. */
abstract class AgentControlCommand extends RemoteCommand {

    private static final String ALL = "/api/v1/admin/agents";

    private final String act;

    AgentControlCommand(CliEnvironment environment, String act) {
        super(environment);
        this.act = act;
    }

    void send(@Nullable String agent, Map<String, ?> body) {
        var path = agent == null ? ALL : AgentCommands.PATH + "/" + UrlPaths.segment(agent);
        JsonNode state = api().post(path + "/" + act, body);
        answer(state, known -> text(agent == null ? "agent.all." + act : "agent.one." + act));
    }

    @Command(name = "pause", description = "Pause an agent of yours, or as an admin any; without an id all of them.")
    static final class Pause extends AgentControlCommand {

        @Parameters(arity = "0..1", paramLabel = "AGENT", description = "The agent's id; without one all agents.")
        private @Nullable String agent;

        @Option(names = "--end-runs", description = "Also stop the runs that have not ended.")
        private boolean endRuns;

        Pause(CliEnvironment environment) {
            super(environment, "pause");
        }

        @Override
        void run() {
            send(agent, Map.of("endRuns", endRuns));
        }
    }

    @Command(name = "resume", description = "Let a paused agent go on; without an id all of them.")
    static final class Resume extends AgentControlCommand {

        @Parameters(arity = "0..1", paramLabel = "AGENT", description = "The agent's id; without one all agents.")
        private @Nullable String agent;

        Resume(CliEnvironment environment) {
            super(environment, "resume");
        }

        @Override
        void run() {
            send(agent, Map.of());
        }
    }
}
