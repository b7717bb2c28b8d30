package io.hiroba.agents.remote;

import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.agents.remote.ToolServer.ServerTool;
import io.hiroba.agents.remote.ToolServerStore.UsableTool;
import io.hiroba.mcp.ApiTools.Effect;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Sha256;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The tools of other servers that admins allow. Before each call the server is asked for the definition once more: a tool that is not as it
 * was allowed is not used. A call is made once, and never repeated by itself.
 */
public final class RemoteTools {

    private static final Logger log = LoggerFactory.getLogger(RemoteTools.class);
    private static final int MAX_TEXT = 100_000;

    private final Db db;
    private final RemoteClient client;
    private final ToolServerStore store = new ToolServerStore();

    RemoteTools(Db db, RemoteClient client) {
        this.db = db;
        this.client = client;
    }

    /**
     * The answer of a tool.
     *
     * @param text for the model
     * @param isOfServer whether the server wrote it
     * @param failed whether it did not do what it should, or may not have
     */
    public record RemoteAnswer(String text, boolean isOfServer, boolean failed) {}

    /** Whether a tool of this name is one of another server. */
    public static boolean isRemote(String name) {
        return RemoteDefinition.isRemote(name);
    }

    /** The names of those that agents may use. */
    public List<String> names() {
        return db.read(store::usableNames);
    }

    /** Whether agents may use it. */
    public boolean isUsable(String name) {
        return find(name).isPresent();
    }

    /** What an admin judged it to do; none that agents may use is of their caller's own. */
    public Effect effect(String name) {
        return find(name).map(found -> found.tool().effect().effect()).orElse(Effect.OWN);
    }

    /** Tells what is allowed under a name now apart from what may be so later: its server, its definition and its effect. */
    public String version(String name) {
        return find(name)
                .map(found -> Sha256.hex(String.join(
                        "\n",
                        found.url(),
                        found.tool().effect().code(),
                        found.tool().definition().json())))
                .orElse("");
    }

    private Optional<UsableTool> find(String name) {
        return db.read(reads -> store.usable(reads, List.of(name))).stream().findFirst();
    }

    /** The definitions of those that agents may use, as they were allowed. */
    public List<ToolDefinition> definitions(Collection<String> names) {
        var remote = names.stream().filter(RemoteTools::isRemote).toList();
        if (remote.isEmpty()) {
            return List.of();
        }
        var usable = db.read(reads -> store.usable(reads, remote)).stream()
                .collect(Collectors.toMap(found -> found.tool().name(), Function.identity()));
        return remote.stream()
                .distinct()
                .flatMap(name -> Stream.ofNullable(usable.get(name)))
                .map(RemoteTools::definition)
                .toList();
    }

    private static ToolDefinition definition(UsableTool found) {
        var definition = found.tool().definition();
        return new ToolDefinition(
                found.tool().name(),
                "A tool of the server %s, outside of Hiroba. %s"
                        .formatted(found.serverName(), definition.description()),
                definition.inputSchema().toString());
    }

    /**
     * Calls a tool, once.
     *
     * @param arguments one JSON object, which is sent as it is
     * @throws InterruptedException if it was interrupted; it may have been done
     */
    public RemoteAnswer call(String name, String arguments) throws InterruptedException {
        var found = find(name);
        if (found.isEmpty()) {
            return new RemoteAnswer("The tool is not allowed.", false, true);
        }
        var tool = found.get().tool();
        try {
            return client.inSession(found.get().server(), session -> call(session, tool, arguments));
        } catch (RemoteFailure failure) {
            log.info("The tool {} cannot be used: {}", name, failure.kind().code());
            return failure.said().isEmpty()
                    ? new RemoteAnswer(
                            "It was not done: the server cannot be used, %s.".formatted(failure.getMessage()),
                            false,
                            true)
                    : new RemoteAnswer(failure.said(), true, true);
        }
    }

    /** Fails where the list of tools is refused, which may be repeated with another token; a call that is refused is an answer. */
    private RemoteAnswer call(McpSession session, ServerTool tool, String arguments)
            throws RemoteFailure, InterruptedException {
        var remote = tool.definition().remoteName();
        var now = session.findTool(listed -> RemoteDefinition.of(listed)
                .filter(definition -> definition.remoteName().equals(remote)));
        if (!now.equals(Optional.of(tool.definition()))) {
            db.useTransaction(tx -> store.noteTool(tx, tool.name(), now.orElse(null)));
            log.warn("The tool {} is not as it was allowed, and is not used", tool.name());
            return new RemoteAnswer(
                    "It was not done: the tool is not the one that was allowed any more, until an admin allows it again.",
                    false,
                    true);
        }
        return called(session, remote, arguments);
    }

    private RemoteAnswer called(McpSession session, String remote, String arguments) throws InterruptedException {
        try {
            var result = session.call(remote, arguments);
            return new RemoteAnswer(text(result), true, result.path("isError").asBoolean(false));
        } catch (RemoteFailure failure) {
            log.info("A call of the tool {} failed: {}", remote, failure.kind().code());
            if (!failure.said().isEmpty()) {
                return new RemoteAnswer(failure.said(), true, true);
            }
            return new RemoteAnswer(
                    (failure.mayHaveActed()
                                    ? "It may have been done all the same, and is not repeated: the server was asked, and %s."
                                    : "It was not done: the server was asked, and %s.")
                            .formatted(failure.getMessage()),
                    false,
                    true);
        }
    }

    /** What it says in a form of its own, or else its texts. Pictures and sounds are left out. */
    private static String text(JsonNode result) {
        if (result.has("structuredContent")) {
            return cut(result.path("structuredContent").toString());
        }
        return cut(result.path("content").valueStream().map(RemoteTools::part).collect(Collectors.joining("\n")));
    }

    private static String part(JsonNode content) {
        return switch (content.path("type").asString("")) {
            case "text" -> content.path("text").asString("");
            case "resource_link" -> content.path("uri").asString("");
            case "resource" -> content.path("resource").path("text").asString("(left out)");
            default -> "(left out)";
        };
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }
}
