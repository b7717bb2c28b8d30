package io.hiroba.mcp;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Contract;
import io.hiroba.platform.http.InternalCalls;
import io.hiroba.platform.http.Routes;
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
import java.util.Map;
import java.util.function.Supplier;
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

    private final McpJsonMapper json = new JacksonMcpJsonMapper(ApiOperation.JSON);
    private final Supplier<McpServers> servers = new Lazy();

    /** Read when it is first needed: the document takes longer than a request. */
    private final class Lazy implements Supplier<McpServers> {

        private volatile @Nullable McpServers made;

        @Override
        public McpServers get() {
            var found = made;
            if (found == null) {
                synchronized (this) {
                    found = made;
                    if (found == null) {
                        found = new McpServers(new Contract(), json);
                        made = found;
                    }
                }
            }
            return found;
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.before(PATH, McpRoutes::allowScripts);
        routes.options(PATH, ctx -> ctx.status(204));
        routes.post(PATH, this::receive);
    }

    /** Any site may call: only a token counts. */
    private static void allowScripts(Context ctx) {
        ctx.header("Access-Control-Allow-Origin", "*");
        ctx.header("Access-Control-Allow-Methods", "POST, OPTIONS");
        ctx.header("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, " + VERSION_HEADER);
        ctx.header("Access-Control-Expose-Headers", "WWW-Authenticate");
        ctx.header("Access-Control-Max-Age", "86400");
        ctx.header("Cross-Origin-Resource-Policy", "cross-origin");
    }

    private void receive(Context ctx) throws IOException {
        var scopes = Caller.of(ctx).requireToken();
        var version = ctx.header(VERSION_HEADER);
        if (version != null && !McpServers.VERSIONS.contains(version)) {
            refuse(ctx.status(400), ErrorCodes.INVALID_REQUEST, "Protocol versions: " + McpServers.VERSIONS);
            return;
        }
        JSONRPCMessage message;
        try {
            message = McpSchema.deserializeJsonRpcMessage(json, ctx.body());
        } catch (IOException | IllegalArgumentException | ArithmeticException | JacksonException e) {
            refuse(ctx.status(400), ErrorCodes.PARSE_ERROR, "One JSON-RPC message is expected");
            return;
        }
        switch (message) {
            case JSONRPCRequest request -> {
                var context = McpTransportContext.create(Map.of(McpServers.CALLS, InternalCalls.of(ctx)));
                var handler = servers.get().handlerOf(scopes);
                var response = Mono.defer(() -> hasParameters(request)
                                ? handler.handleRequest(context, request)
                                : Mono.just(invalidParameters(request.id())))
                        .onErrorResume(McpError.class, error -> Mono.just(refusal(request.id(), error)))
                        .onErrorResume(McpRoutes::isOfParameters, error -> Mono.just(invalidParameters(request.id())))
                        .block();
                ctx.contentType("application/json").result(json.writeValueAsBytes(response));
            }
            // Without sessions there is nothing that one could change.
            case JSONRPCNotification _ -> ctx.status(202);
            default -> refuse(ctx.status(400), ErrorCodes.INVALID_REQUEST, "A request or a notification is expected");
        }
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

    private static JSONRPCResponse invalidParameters(Object id) {
        var error = new JSONRPCError(ErrorCodes.INVALID_PARAMS, "The parameters are not those of the method", null);
        return new JSONRPCResponse(McpSchema.JSONRPC_VERSION, id, null, error);
    }

    private void refuse(Context ctx, int code, String message) throws IOException {
        var error = new JSONRPCError(code, message, null);
        ctx.contentType("application/json")
                .result(json.writeValueAsBytes(new JSONRPCResponse(McpSchema.JSONRPC_VERSION, null, null, error)));
    }
}
