package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "stats", description = "Show runs, costs, latencies and failures: of your agents, as an admin of all.")
final class AgentStatsCommand extends RemoteCommand {

    @Option(names = "--range", paramLabel = "TIME", description = "24h, 7d or 30d.")
    private String range = "24h";

    AgentStatsCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = api().get(AgentCommands.PATH + "/statistics" + UrlPaths.query("range", range));
        answer(found, AgentStatsCommand::figures);
        if (found.path("limited").asBoolean(false)) {
            note(text("agent.stats-limited"));
        }
    }

    private static String figures(JsonNode found) {
        var rows = new ArrayList<JsonNode>();
        rows.add(found.path("all"));
        found.path("agents").forEach(rows::add);
        var all = new Table()
                .column(text("column.nickname"), AgentStatsCommand::name)
                .column(text("column.runs"), "runs")
                .column(text("column.answered"), "answered")
                .column(text("column.failed"), "failed")
                .column(text("column.refused"), "refused")
                .column("p50", row -> seconds(row, "p50Seconds"))
                .column("p95", row -> seconds(row, "p95Seconds"))
                .column(text("column.cost"), "cost")
                .render(CliJson.page(rows).path("items"));
        if (found.path("causes").isEmpty()) {
            return all;
        }
        return all
                + "\n"
                + new Table()
                        .column(text("column.state"), "state")
                        .column(text("column.error"), "reason")
                        .column(text("column.runs"), "runs")
                        .render(found.path("causes"));
    }

    private static String name(JsonNode row) {
        var name = row.path("nickname").asString("");
        return name.isEmpty() ? text("agent.stats-all") : name;
    }

    private static String seconds(JsonNode row, String field) {
        var seconds = row.path(field);
        return seconds.isNumber() ? String.format(Locale.ROOT, "%.1f s", seconds.asDouble()) : "";
    }
}
