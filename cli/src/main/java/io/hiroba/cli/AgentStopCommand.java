package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "stop", description = "Stop a run that you called for, or as an admin any: nothing is posted for it.")
final class AgentStopCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
    private String agent = "";

    @Parameters(index = "1", paramLabel = "RUN", description = "The run's id, from the list of runs.")
    private String run = "";

    AgentStopCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().post(
                                AgentCommands.PATH + "/" + UrlPaths.segment(agent) + "/runs/" + UrlPaths.segment(run)
                                        + "/stop",
                                Map.of()),
                stopped -> text("agent.stopped", run));
    }
}
