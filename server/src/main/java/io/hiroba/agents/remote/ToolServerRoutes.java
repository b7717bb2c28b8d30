package io.hiroba.agents.remote;

import io.hiroba.accounts.Caller;
import io.hiroba.agents.remote.ToolServer.Connection;
import io.hiroba.agents.remote.ToolServer.JudgedEffect;
import io.hiroba.agents.remote.ToolServer.ServerTool;
import io.hiroba.agents.remote.ToolServers.ListedServer;
import io.hiroba.agents.remote.ToolServers.ServerSettings;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of servers of tools, for admins. */
final class ToolServerRoutes implements Routes {

    private static final String PATH = "/api/v1/admin/tool-servers";
    private static final String ONE = PATH + "/{id}";
    private static final String TOOL = ONE + "/tools/{tool}";

    private final ToolServers servers;
    private final ToolServerConnections connections;

    ToolServerRoutes(ToolServers servers, ToolServerConnections connections) {
        this.servers = servers;
        this.connections = connections;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::add);
        routes.get(ONE, ctx -> ctx.json(ServerView.of(servers.get(Caller.of(ctx), id(ctx)))));
        routes.patch(ONE, this::update);
        routes.delete(ONE, this::delete);
        routes.post(ONE + "/refresh", ctx -> ctx.json(ServerView.of(servers.refresh(Caller.of(ctx), id(ctx)))));
        routes.delete(ONE + "/connection", this::disconnect);
        routes.put(TOOL, this::allow);
        routes.delete(
                TOOL, ctx -> ctx.json(ServerView.of(servers.withdraw(Caller.of(ctx), id(ctx), ctx.pathParam("tool")))));
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }

    private record ServerBody(
            @Nullable String name,
            @Nullable String url,
            @Nullable Boolean enabled,
            @Nullable String header,
            @Nullable String credential) {

        ServerSettings settings() {
            return new ServerSettings(url, enabled, header, credential);
        }
    }

    private record ServersView(List<ServerSummary> items) {}

    private void list(Context ctx) {
        ctx.json(new ServersView(
                servers.list(Caller.of(ctx)).stream().map(ServerSummary::of).toList()));
    }

    private void add(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var body = Body.json(ctx, ServerBody.class);
        var added = servers.add(caller, required("name", body.name()), body.settings());
        ctx.header("Location", PATH + "/" + Ids.hex(added.server().id()));
        ctx.status(201).json(ServerView.of(added));
    }

    private void update(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var body = Body.json(ctx, ServerBody.class);
        if (body.name() != null) {
            throw ToolServerProblem.invalid("name", Text.of("agents.field.server-name-stays"));
        }
        ctx.json(ServerView.of(servers.update(caller, id(ctx), body.settings())));
    }

    private void delete(Context ctx) {
        servers.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void disconnect(Context ctx) throws InterruptedException {
        var caller = Caller.of(ctx);
        connections.end(caller, id(ctx));
        ctx.json(ServerView.of(servers.get(caller, id(ctx))));
    }

    /** A connection in responses; its tokens are never told. */
    private record ConnectionView(String issuer, String scope, Instant connectedAt, boolean expired) {

        static @Nullable ConnectionView of(@Nullable Connection connection) {
            return connection == null
                    ? null
                    : new ConnectionView(
                            connection.issuer(), connection.scope(), connection.connectedAt(), connection.expired());
        }
    }

    private record AllowBody(
            @Nullable String effect, @Nullable String digest) {}

    private void allow(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var body = Body.json(ctx, AllowBody.class);
        var effect = body.effect() == null ? JudgedEffect.APPROVAL : JudgedEffect.parse(body.effect());
        ctx.json(ServerView.of(
                servers.allow(caller, id(ctx), ctx.pathParam("tool"), effect, required("digest", body.digest()))));
    }

    private static String required(String field, @Nullable String value) {
        if (value == null) {
            throw ToolServerProblem.invalid(field, Text.of("http.field.required"));
        }
        return value;
    }

    /** A server; its credential is never told. */
    private record ServerSummary(
            String id,
            String name,
            String url,
            boolean enabled,
            @Nullable String header,
            Instant createdAt,
            @Nullable Instant listedAt,
            @Nullable String failure,
            @Nullable ConnectionView connection) {

        static ServerSummary of(ToolServer server) {
            return new ServerSummary(
                    Ids.hex(server.id()),
                    server.name(),
                    server.url(),
                    server.enabled(),
                    server.header(),
                    server.createdAt(),
                    server.listedAt(),
                    server.failure(),
                    ConnectionView.of(server.connection()));
        }
    }

    private record ServerView(
            String id,
            String name,
            String url,
            boolean enabled,
            @Nullable String header,
            Instant createdAt,
            @Nullable Instant listedAt,
            @Nullable String failure,
            @Nullable ConnectionView connection,
            List<ToolView> tools) {

        static ServerView of(ListedServer listed) {
            var server = ServerSummary.of(listed.server());
            return new ServerView(
                    server.id(),
                    server.name(),
                    server.url(),
                    server.enabled(),
                    server.header(),
                    server.createdAt(),
                    server.listedAt(),
                    server.failure(),
                    server.connection(),
                    listed.tools().stream().map(ToolView::of).toList());
        }
    }

    /** @param effect null unless it was allowed */
    private record ToolView(
            String name,
            String remoteName,
            String title,
            String description,
            JsonNode inputSchema,
            String state,
            @Nullable String effect,
            String digest) {

        static ToolView of(ServerTool tool) {
            var definition = tool.definition();
            var schema = definition.inputSchema();
            return new ToolView(
                    tool.name(),
                    definition.remoteName(),
                    definition.title(),
                    definition.description(),
                    schema.isObject() ? schema : RemoteDefinition.JSON.createObjectNode(),
                    tool.state().code(),
                    tool.allowed() == null ? null : tool.effect().code(),
                    definition.digest());
        }
    }
}
