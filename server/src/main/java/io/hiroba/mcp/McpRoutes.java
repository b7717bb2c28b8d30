package io.hiroba.mcp;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.http.Contract;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.InternalCalls;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.Lazy;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/**
 * The endpoint of the Model Context Protocol: streamable HTTP without sessions, so that any node answers any request. Every message
 * carries its token.
 */
final class McpRoutes implements Routes {

    static final String PATH = "/mcp";

    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final String ONE_MESSAGE = "One JSON-RPC 2.0 message is expected";
    private static final String WRONG_PARAMETERS = "The parameters are not those of the method";

    private static final String METADATA = "/.well-known/oauth-protected-resource" + PATH;

    private final McpConfig config;
    private final String publicUrl;
    private final McpJsonMapper json = new JacksonMcpJsonMapper(ApiOperation.JSON);

    /** Read when it is first needed: the document takes longer than a request. */
    private final Lazy<McpServers> servers = Lazy.of(this::read);

    private final CallStreams streams;

    McpRoutes(McpConfig config, String publicUrl, EventStreams streams) {
        this.config = config;
        this.publicUrl = publicUrl;
        this.streams = new CallStreams(streams, json);
    }

    private McpServers read() {
        return new McpServers(Contract.shared(), json);
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.before(PATH, this::requireOrigin);
        routes.options(PATH, ctx -> ctx.status(204));
        routes.post(PATH, this::receive);
        routes.get(METADATA, this::metadata);
    }

    private String base(Context ctx) {
        return publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl;
    }

    /** The scripts of other sites may call if they are configured; programs that are no browser name no origin. */
    private void requireOrigin(Context ctx) {
        var origin = ctx.header("Origin");
        if (origin == null) {
            return;
        }
        if (!isAllowed(origin) && !origin.equalsIgnoreCase(base(ctx))) {
            refuse(ctx.status(403), ErrorCodes.INVALID_REQUEST, "This origin may not call: see mcp.allowed-origins");
            ctx.skipRemainingHandlers();
            return;
        }
        ctx.header("Access-Control-Allow-Origin", origin);
        ctx.header("Vary", "Origin");
        ctx.header("Access-Control-Allow-Methods", "POST, OPTIONS");
        ctx.header("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, " + VERSION_HEADER);
        ctx.header("Access-Control-Expose-Headers", "WWW-Authenticate");
        ctx.header("Access-Control-Max-Age", "86400");
        ctx.header("Cross-Origin-Resource-Policy", "cross-origin");
    }

    private boolean isAllowed(String origin) {
        return config.allowedOrigins().stream()
                .anyMatch(allowed -> allowed.equals(McpConfig.ANY) || allowed.equalsIgnoreCase(origin));
    }

    /** Whose tokens are taken here, and which scopes they are asked for (RFC 9728). */
    private void metadata(Context ctx) {
        var base = base(ctx);
        ctx.header("Access-Control-Allow-Origin", "*");
        ctx.header("Cross-Origin-Resource-Policy", "cross-origin");
        ctx.json(Map.of(
                "resource",
                base + PATH,
                "authorization_servers",
                List.of(base),
                "scopes_supported",
                servers.get().scopes(),
                "bearer_methods_supported",
                List.of("header"),
                "resource_name",
                "Hiroba",
                "resource_documentation",
                base + "/docs"));
    }

    private void receive(Context ctx) throws IOException {
        var scopes = Caller.of(ctx).requireToken();
        var version = ctx.header(VERSION_HEADER);
        if (version != null && !McpServers.VERSIONS.contains(version)) {
            refuse(ctx.status(400), ErrorCodes.INVALID_REQUEST, "Protocol versions: " + McpServers.VERSIONS);
            return;
        }
        var body = McpTools.read(ctx.body());
        if (body == null || body.isMissingNode()) {
            refuse(ctx.status(400), ErrorCodes.PARSE_ERROR, "JSON is expected");
            return;
        }
        if (!body.path("jsonrpc").asString("").equals(McpSchema.JSONRPC_VERSION)) {
            refuse(ctx.status(400), ErrorCodes.INVALID_REQUEST, ONE_MESSAGE);
            return;
        }
        switch (message(ctx)) {
            case null -> refuse(ctx.status(400), ErrorCodes.INVALID_REQUEST, ONE_MESSAGE);
            case JSONRPCRequest request -> {
                var calls = InternalCalls.of(ctx);
                var token = CallStreams.token(ctx, request);
                if (token != null) {
                    var caller = Caller.of(ctx).user().hex();
                    streams.serve(ctx, caller, token, request, progress -> response(calls, scopes, request, progress));
                    return;
                }
                var response = response(calls, scopes, request, CallProgress.untold(streams::isStopping));
                ctx.contentType("application/json").result(json.writeValueAsBytes(response));
            }
            // Without sessions there is nothing that one could change.
            case JSONRPCNotification _ -> ctx.status(202);
            default -> refuse(ctx.status(400), ErrorCodes.INVALID_REQUEST, "A request or a notification is expected");
        }
    }

    /** The message of a request; null if it is none. */
    private @Nullable JSONRPCMessage message(Context ctx) {
        try {
            var message = McpSchema.deserializeJsonRpcMessage(json, ctx.body());
            // The SDK takes a null for the name of a method.
            return message instanceof JSONRPCRequest request && request.method() == null ? null : message;
        } catch (IOException | IllegalArgumentException | ArithmeticException | JacksonException e) {
            return null;
        }
    }

    private JSONRPCResponse response(
            InternalCalls calls, TokenScope.Granted scopes, JSONRPCRequest request, CallProgress progress) {
        var context = McpTransportContext.create(Map.of(McpServers.CALLS, calls, McpServers.PROGRESS, progress));
        var response = answer(context, scopes, request)
                .onErrorResume(McpError.class, error -> Mono.just(refusal(request.id(), error)))
                .onErrorResume(McpRoutes::isOfParameters, error -> Mono.just(invalid(request.id(), WRONG_PARAMETERS)))
                .map(McpRoutes::neutral)
                .block();
        return Objects.requireNonNull(response);
    }

    private Mono<JSONRPCResponse> answer(
            McpTransportContext context, TokenScope.Granted scopes, JSONRPCRequest request) {
        if (!hasParameters(request)) {
            return Mono.just(invalid(request.id(), WRONG_PARAMETERS));
        }
        if (request.method().equals("tools/call")
                && request.params() instanceof Map<?, ?> parameters
                && parameters.get("name") instanceof String tool
                && !servers.get().offers(scopes, tool)) {
            return Mono.just(invalid(
                    request.id(), "There is no tool %s, or this token's scopes do not allow it".formatted(tool)));
        }
        return Mono.defer(() -> servers.get().handlerOf(scopes).handleRequest(context, request));
    }

    /** The SDK tells the message of any exception. */
    private static JSONRPCResponse neutral(JSONRPCResponse response) {
        var error = response.error();
        return error == null || error.code() != ErrorCodes.INTERNAL_ERROR ? response : unanswered(response.id());
    }

    static JSONRPCResponse unanswered(Object id) {
        var error = new JSONRPCError(ErrorCodes.INTERNAL_ERROR, "The request could not be answered", null);
        return new JSONRPCResponse(McpSchema.JSONRPC_VERSION, id, null, error);
    }

    private static JSONRPCResponse refusal(Object id, McpError error) {
        var stated = error.getJsonRpcError();
        return new JSONRPCResponse(
                McpSchema.JSONRPC_VERSION,
                id,
                null,
                stated == null
                        ? new JSONRPCError(ErrorCodes.METHOD_NOT_FOUND, String.valueOf(error.getMessage()), null)
                        : stated);
    }

    /** Whether the parameters are there that the method cannot do without; the SDK trusts that they are. */
    private static boolean hasParameters(JSONRPCRequest request) {
        var given = request.params();
        return switch (request.method()) {
            case "initialize" ->
                hasText(given, "protocolVersion")
                        && given instanceof Map<?, ?> parameters
                        && parameters.get("capabilities") instanceof Map<?, ?>
                        && hasText(parameters.get("clientInfo"), "name");
            case "tools/call", "prompts/get" -> hasText(given, "name");
            case "resources/read" -> hasText(given, "uri");
            case "completion/complete" ->
                given instanceof Map<?, ?> parameters
                        && isReference(parameters.get("ref"))
                        && hasText(parameters.get("argument"), "name")
                        && hasText(parameters.get("argument"), "value");
            default -> true;
        };
    }

    private static boolean isReference(@Nullable Object object) {
        if (!(object instanceof Map<?, ?> reference) || !(reference.get("type") instanceof String type)) {
            return false;
        }
        return switch (type) {
            case "ref/prompt" -> hasText(reference, "name");
            case "ref/resource" -> hasText(reference, "uri");
            default -> false;
        };
    }

    private static boolean hasText(@Nullable Object object, String name) {
        return object instanceof Map<?, ?> map && map.get(name) instanceof String;
    }

    /** The SDK turns parameters into its own types when it needs them. */
    private static boolean isOfParameters(Throwable error) {
        return error instanceof IllegalArgumentException || error instanceof JacksonException;
    }

    private static JSONRPCResponse invalid(Object id, String message) {
        var error = new JSONRPCError(ErrorCodes.INVALID_PARAMS, message, null);
        return new JSONRPCResponse(McpSchema.JSONRPC_VERSION, id, null, error);
    }

    /** Refuses what has no id that could be answered, which is said so: the SDK leaves it out. */
    private static void refuse(Context ctx, int code, String message) {
        var answer = ApiOperation.JSON
                .createObjectNode()
                .put("jsonrpc", McpSchema.JSONRPC_VERSION)
                .putNull("id");
        answer.putObject("error").put("code", code).put("message", message);
        ctx.contentType("application/json").result(ApiOperation.JSON.writeValueAsBytes(answer));
    }
}
