package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "server",
        description = "Servers of tools for agents, as an admin.",
        subcommands = {
            AgentServerCommands.ListServers.class,
            AgentServerCommands.ShowServer.class,
            AgentServerCommands.AddServer.class,
            AgentServerCommands.RefreshServer.class,
            AgentServerCommands.AllowTool.class,
            AgentServerCommands.WithdrawTool.class,
            AgentServerCommands.DeleteServer.class
        })
final class AgentServerCommands extends CommandGroup {

    private static final String PATH = "/api/v1/admin/tool-servers";

    private static String path(String id) {
        return PATH + "/" + UrlPaths.segment(id);
    }

    /** The tools with all that is allowed with them. */
    private static String tools(JsonNode server) {
        return new Table()
                .column(text("column.tools"), "name")
                .column(text("column.state"), "state")
                .column(text("column.effect"), "effect")
                .column(text("column.digest"), "digest")
                .column(text("column.says"), "description")
                .column(
                        text("column.arguments"),
                        tool -> tool.path("inputSchema").toString())
                .render(server.path("tools"));
    }

    @Command(name = "list", description = "List the servers of tools.")
    static final class ListServers extends RemoteCommand {

        ListServers(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            answer(
                    api().get(PATH),
                    found -> new Table()
                            .column(text("column.id"), "id")
                            .column(text("column.name"), "name")
                            .column(text("column.endpoint"), "url")
                            .column(text("column.state"), AgentListCommand::state)
                            .column(text("column.error"), "failure")
                            .render(found.path("items")));
        }
    }

    @Command(name = "show", description = "Show the tools of a server as models read them.")
    static final class ShowServer extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "ID", description = "The server's id, from the list.")
        private String id = "";

        ShowServer(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            answer(api().get(path(id)), AgentServerCommands::tools);
        }
    }

    @Command(name = "add", description = "Add a server of tools.")
    static final class AddServer extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "NAME", description = "What the names of its tools begin with.")
        private String name = "";

        @Parameters(index = "1", paramLabel = "URL", description = "Its address, beginning with https://.")
        private String url = "";

        @Option(names = "--header", paramLabel = "NAME", description = "The header of the credential.")
        private @Nullable String header;

        @Option(names = "--credential-stdin", description = "Read the credential from standard input.")
        private boolean hasCredential;

        AddServer(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            var body = new LinkedHashMap<String, Object>();
            body.put("name", name);
            body.put("url", url);
            if (header != null) {
                body.put("header", header);
            }
            if (hasCredential) {
                body.put(
                        "credential",
                        PasswordInput.firstLine(environment()).orElse("").strip());
            }
            answer(
                    api().post(PATH, body),
                    added -> text("agent.server-added", name, added.path("id").asString("")));
        }
    }

    @Command(name = "refresh", description = "Ask a server for its tools.")
    static final class RefreshServer extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "ID", description = "The server's id, from the list.")
        private String id = "";

        RefreshServer(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            answer(api().post(path(id) + "/refresh", Map.of()), AgentServerCommands::tools);
        }
    }

    @Command(name = "allow", description = "Let agents be given a tool as you have looked at it.")
    static final class AllowTool extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "ID", description = "The server's id, from the list.")
        private String id = "";

        @Parameters(index = "1", paramLabel = "TOOL", description = "The tool, as agents call it.")
        private String tool = "";

        @Option(
                names = "--digest",
                required = true,
                paramLabel = "DIGEST",
                description = "The digest of the definition that you have looked at.")
        private String digest = "";

        @Option(
                names = "--effect",
                paramLabel = "EFFECT",
                description = "reads, small (both are used at once) or approval.")
        private String effect = "approval";

        AllowTool(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            answer(
                    api().put(
                                    path(id) + "/tools/" + UrlPaths.segment(tool),
                                    Map.of("digest", digest, "effect", effect)),
                    allowed -> text("agent.tool-allowed", tool));
        }
    }

    @Command(name = "withdraw", description = "Let agents use a tool no more.")
    static final class WithdrawTool extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "ID", description = "The server's id, from the list.")
        private String id = "";

        @Parameters(index = "1", paramLabel = "TOOL", description = "The tool, as agents call it.")
        private String tool = "";

        WithdrawTool(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            api().delete(path(id) + "/tools/" + UrlPaths.segment(tool));
            answer(CliJson.object("withdrawn", tool), done -> text("agent.tool-withdrawn", tool));
        }
    }

    @Command(name = "delete", description = "Delete a server of tools.")
    static final class DeleteServer extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "ID", description = "The server's id, from the list.")
        private String id = "";

        DeleteServer(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            api().delete(path(id));
            answer(CliJson.object("deleted", id), done -> text("agent.server-deleted", id));
        }
    }
}
