package io.hiroba.agents;

import io.hiroba.accounts.Authentication;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.mcp.ApiTools;
import io.hiroba.mcp.ApiTools.Effect;
import io.hiroba.mcp.ApiTools.ToolDescription;
import io.hiroba.mcp.ApiTools.ToolReply;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.InternalCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of {@code /mcp} for agents. Each is called as the agent and as its caller, both without the rights of an admin, and the
 * model is told what both answers have in common: the reply is public, and what only one of them may read must not stand in it. A
 * change is rehearsed as the caller, and then made as the agent: so both must be allowed to make it.
 */
final class ApiAgentTools implements AgentTools {

    /** The fields by which elements of lists are known, in this order. */
    private static final List<String> KEYS = List.of("id", "chunkId", "name", "key");

    private static final long START_TIMEOUT_SECONDS = 30;

    /** Numbers keep every digit, and a name that is there twice is refused: what is shown is what is sent. */
    static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final Authentication authentication;
    private final Db db;
    private final CompletableFuture<Function<String, InternalCalls>> server = new CompletableFuture<>();
    private volatile @Nullable ApiTools tools;

    ApiAgentTools(Authentication authentication, Db db) {
        this.authentication = authentication;
        this.db = db;
    }

    /** @param calls makes calls with an authorization; given when the server is built, after the runs of before went on */
    void connect(Function<String, InternalCalls> calls) {
        server.complete(calls);
    }

    /** Read when it is first needed: most servers have no agent with tools. */
    private ApiTools tools() {
        var known = tools;
        if (known == null) {
            known = new ApiTools();
            tools = known;
        }
        return known;
    }

    @Override
    public List<ToolDefinition> definitions(List<String> names) {
        return names.isEmpty()
                ? List.of()
                : names.stream()
                        .flatMap(name -> tools().describe(name).stream())
                        .filter(tool -> tool.effect() != Effect.OWN)
                        .map(tool -> new ToolDefinition(tool.name(), tool.description(), tool.inputSchema()))
                        .toList();
    }

    @Override
    public ToolAnswer use(String tool, String input, UserId agent, UserId caller) {
        var description = tools().describe(tool);
        if (description.isEmpty()) {
            return new ToolAnswer("There is no such tool.", true);
        }
        if (!description.get().isRead()) {
            return new ToolAnswer("This changes something.", true);
        }
        var arguments = parsed(input);
        if (arguments == null) {
            return new ToolAnswer("The arguments must be one JSON object.", true);
        }
        var asAgent = call(tool, arguments, agent);
        if (asAgent.failed()) {
            return new ToolAnswer(asAgent.text(), true);
        }
        var asCaller = call(tool, arguments, caller);
        if (asCaller.failed()) {
            return new ToolAnswer(asCaller.text(), true);
        }
        return new ToolAnswer(inCommon(asAgent.text(), asCaller.text()), false);
    }

    @Override
    public Effect effect(String tool) {
        return tools().describe(tool).map(ToolDescription::effect).orElse(Effect.OWN);
    }

    @Override
    public Optional<String> arguments(String input) {
        return Optional.ofNullable(parsed(input)).map(arguments -> {
            // The key is that of the call, whatever the model says.
            arguments.remove(ApiTools.KEY);
            return JSON.writeValueAsString(arguments);
        });
    }

    /** Arguments as they are, as one JSON object; empty if they are not that. */
    static Optional<String> canonical(String input) {
        return Optional.ofNullable(parsed(input)).map(JSON::writeValueAsString);
    }

    @Override
    public ToolAnswer check(Change change) {
        var asAgent = rehearsed(change, change.agent());
        return answer(asAgent.failed() ? asAgent : rehearsed(change, change.caller()));
    }

    @Override
    public ToolAnswer change(Change change) {
        if (change.begun() && takesKey(change)) {
            var before = rehearsed(change, change.agent());
            if (before.replayed()) {
                var asCaller = rehearsed(change, change.caller());
                return done(before, asCaller.failed() ? "{}" : asCaller.text());
            }
        }
        var asCaller = rehearsed(change, change.caller());
        if (asCaller.failed()) {
            return refused(change, asCaller);
        }
        var made = call(change.tool(), keyed(change), change.agent());
        return made.failed() ? refused(change, made) : done(made, asCaller.text());
    }

    private boolean takesKey(Change change) {
        return tools().describe(change.tool()).filter(ToolDescription::takesKey).isPresent();
    }

    private ToolReply rehearsed(Change change, UserId user) {
        return db.rehearse(() -> call(change.tool(), keyed(change), user));
    }

    private Map<String, Object> keyed(Change change) {
        var arguments = new LinkedHashMap<String, Object>();
        var parsed = parsed(change.input());
        if (parsed != null) {
            arguments.putAll(parsed);
        }
        if (takesKey(change)) {
            arguments.put(ApiTools.KEY, change.key());
        }
        return arguments;
    }

    /** What has no key and was begun before may have been done then, and be refused for that now. */
    private ToolAnswer refused(Change change, ToolReply reply) {
        return change.begun() && !takesKey(change)
                ? new ToolAnswer("It may have been done already. " + reply.text(), true)
                : answer(reply);
    }

    private static ToolAnswer answer(ToolReply reply) {
        return new ToolAnswer(reply.text(), reply.failed(), reply.unknown());
    }

    /** What both would be answered, and the id of what was made, which only this call has. */
    private static ToolAnswer done(ToolReply made, String asCaller) {
        var common = inCommon(made.text(), asCaller);
        try {
            var id = made.text().isEmpty() ? null : JSON.readTree(made.text()).get("id");
            if (id != null && JSON.readTree(common) instanceof ObjectNode told) {
                common = told.set("id", id).toString();
            }
        } catch (JacksonException notJson) {
            return new ToolAnswer("{}", false);
        }
        return new ToolAnswer(common, false);
    }

    private ToolReply call(String tool, Map<String, Object> arguments, UserId user) {
        var calls =
                server.copy().orTimeout(START_TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        return authentication.as(
                Librarian.member(user), authorization -> tools().call(calls.apply(authorization), tool, arguments));
    }

    /** Null if they are no object, or hold a NUL, which cannot be stored. */
    @SuppressWarnings("unchecked")
    private static @Nullable Map<String, Object> parsed(String input) {
        if (input.contains("\\u0000")) {
            return null;
        }
        try {
            var node = input.isBlank() ? JSON.createObjectNode() : JSON.readTree(input);
            return node.isObject() ? JSON.convertValue(node, LinkedHashMap.class) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** The part that two answers in JSON have in common, as JSON. */
    static String inCommon(String one, String other) {
        if (one.equals(other)) {
            return one.isEmpty() ? "{}" : one;
        }
        try {
            var common = inCommon(JSON.readTree(one), JSON.readTree(other));
            return common == null ? "{}" : common.toString();
        } catch (JacksonException notJson) {
            return "{}";
        }
    }

    private static @Nullable JsonNode inCommon(JsonNode one, JsonNode other) {
        if (one.equals(other)) {
            return one;
        }
        if (one.isObject() && other.isObject()) {
            return objects(one, other);
        }
        return one.isArray() && other.isArray() ? arrays(one, other) : null;
    }

    private static ObjectNode objects(JsonNode one, JsonNode other) {
        var common = JSON.createObjectNode();
        for (var field : one.properties()) {
            if (other.has(field.getKey())) {
                var value = inCommon(field.getValue(), other.path(field.getKey()));
                if (value != null) {
                    common.set(field.getKey(), value);
                }
            }
        }
        return common;
    }

    private static ArrayNode arrays(JsonNode one, JsonNode other) {
        var common = JSON.createArrayNode();
        for (var element : one) {
            for (var candidate : other) {
                if (isSame(element, candidate)) {
                    var value = inCommon(element, candidate);
                    if (value != null) {
                        common.add(value);
                    }
                    break;
                }
            }
        }
        return common;
    }

    private static boolean isSame(JsonNode one, JsonNode other) {
        for (var key : KEYS) {
            if (one.has(key) && other.has(key)) {
                return one.path(key).equals(other.path(key));
            }
        }
        return one.equals(other);
    }
}
