package io.hiroba.agents.remote;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.remote.ToolServer.Connection;
import io.hiroba.agents.remote.ToolServer.JudgedEffect;
import io.hiroba.agents.remote.ToolServer.ServerTool;
import io.hiroba.agents.remote.ToolServer.ToolState;
import io.hiroba.agents.remote.ToolServers.ServerSettings;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.text.VisibleText;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pages on which admins add servers of tools, look at what their tools say of themselves, and allow them one by one. */
public final class ToolServerPages implements Routes {

    /** The path of the list. */
    public static final String PATH = "/admin/tool-servers";

    private static final String ONE = PATH + "/{id}";

    private final Shell shell;
    private final Readers readers;
    private final ToolServers servers;

    ToolServerPages(Shell shell, Readers readers, ToolServers servers) {
        this.shell = shell;
        this.readers = readers;
        this.servers = servers;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> list(ctx, Form.EMPTY));
        routes.post(PATH, this::add);
        routes.get(ONE, ctx -> show(ctx, null));
        routes.post(ONE, this::update);
        routes.post(ONE + "/refresh", this::refresh);
        routes.post(ONE + "/remove-credential", this::removeCredential);
        routes.post(ONE + "/delete", this::delete);
        routes.post(ONE + "/tools/{tool}", this::allow);
        routes.post(ONE + "/tools/{tool}/withdraw", this::withdraw);
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }

    static String path(long id) {
        return PATH + "/" + Ids.hex(id);
    }

    private void list(Context ctx, Form form) {
        var reader = readers.reader(ctx);
        var cards = servers.list(Caller.of(ctx)).stream()
                .map(server -> ServerCard.of(server, reader))
                .toList();
        shell.page(ctx, Text.of("agents.tool-servers"), "agents/tool-servers", Map.of("servers", cards, "form", form));
    }

    private void add(Context ctx) {
        var form = Form.of(ctx, "name", "url", "header", "credential");
        try {
            var given = form.value("credential").strip();
            var added = servers.add(
                    Caller.of(ctx),
                    form.value("name").strip(),
                    new ServerSettings(
                            form.value("url").strip(),
                            null,
                            form.value("header").strip(),
                            given.isEmpty() ? null : given));
            shell.seeOther(ctx, path(added.server().id()), Text.of("agents.tool-server-added"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            list(ctx, form.refused(refusal).without("credential"));
        }
    }

    private void show(Context ctx, @Nullable Form refused) {
        show(ctx, id(ctx), refused);
    }

    /** Shows a server with what was refused of it. */
    void refused(Context ctx, long id, Problem refusal) {
        shell.refused(ctx, refusal, path(id));
        var server = servers.get(Caller.of(ctx), id).server();
        show(ctx, id, Form.filled(Map.of("url", server.url())).refused(refusal));
    }

    private void show(Context ctx, long id, @Nullable Form refused) {
        var listed = servers.get(Caller.of(ctx), id);
        var server = listed.server();
        var reader = readers.reader(ctx);
        var header = server.header();
        var form = refused == null
                ? Form.filled(Map.of("url", server.url(), "header", header == null ? "" : header))
                : refused;
        shell.page(
                ctx,
                Text.verbatim(server.name()),
                "agents/tool-server",
                Map.of(
                        "server",
                        ServerCard.of(server, reader),
                        "tools",
                        listed.tools().stream()
                                .map(tool -> ToolCard.of(server, tool, reader))
                                .toList(),
                        "form",
                        form));
    }

    private void update(Context ctx) {
        var form = Form.of(ctx, "url", "header", "credential");
        try {
            var given = form.value("credential").strip();
            servers.update(
                    Caller.of(ctx),
                    id(ctx),
                    new ServerSettings(
                            form.value("url").strip(),
                            ctx.formParam("enabled") != null,
                            form.value("header").strip(),
                            given.isEmpty() ? null : given));
            shell.seeOther(ctx, path(id(ctx)), Text.of("agents.saved"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal).without("credential"));
        }
    }

    private void removeCredential(Context ctx) {
        servers.update(Caller.of(ctx), id(ctx), new ServerSettings(null, null, null, ""));
        shell.seeOther(ctx, path(id(ctx)), Text.of("agents.saved"));
    }

    private void refresh(Context ctx) throws InterruptedException {
        try {
            servers.refresh(Caller.of(ctx), id(ctx));
            shell.seeOther(ctx, path(id(ctx)), Text.of("agents.tools-listed"));
        } catch (Problem refusal) {
            refused(ctx, id(ctx), refusal);
        }
    }

    private void delete(Context ctx) {
        servers.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, PATH, Text.of("agents.tool-server-deleted"));
    }

    private void allow(Context ctx) {
        var form = Form.of(ctx, "effect", "digest");
        try {
            servers.allow(
                    Caller.of(ctx),
                    id(ctx),
                    ctx.pathParam("tool"),
                    JudgedEffect.parse(form.value("effect")),
                    form.value("digest"));
            shell.seeOther(ctx, path(id(ctx)), Text.of("agents.tool-allowed"));
        } catch (Problem refusal) {
            refused(ctx, id(ctx), refusal);
        }
    }

    private void withdraw(Context ctx) {
        servers.withdraw(Caller.of(ctx), id(ctx), ctx.pathParam("tool"));
        shell.seeOther(ctx, path(id(ctx)), Text.of("agents.tool-withdrawn"));
    }

    /**
     * The view of a server.
     *
     * @param header in which its credential is sent; empty without one
     * @param listed when its tools were asked for; empty before that
     * @param failure why that failed; empty if it did not
     * @param connection null unless it is connected by OAuth
     */
    public record ServerCard(
            String path,
            String name,
            String url,
            boolean isEnabled,
            String header,
            String listed,
            String failure,
            @Nullable ConnectionCard connection) {

        static ServerCard of(ToolServer server, Reader reader) {
            var header = server.header();
            var listed = server.listedAt();
            var failure = server.failure();
            return new ServerCard(
                    ToolServerPages.path(server.id()),
                    server.name(),
                    server.url(),
                    server.enabled(),
                    header == null ? "" : header,
                    listed == null ? "" : reader.text("agents.tools-listed-at", "time", reader.ago(listed)),
                    failure == null ? "" : reader.text("agents.server-failure." + failure),
                    ConnectionCard.of(server.connection(), reader));
        }
    }

    /** The view of a connection by OAuth. */
    public record ConnectionCard(String issuer, String scope, String since, boolean isExpired) {

        static @Nullable ConnectionCard of(@Nullable Connection connection, Reader reader) {
            return connection == null
                    ? null
                    : new ConnectionCard(
                            connection.issuer(),
                            connection.scope(),
                            reader.ago(connection.connectedAt()),
                            connection.expired());
        }
    }

    /**
     * The view of a connection that goes on at the authorization server.
     *
     * @param back the path of the page of the server
     */
    public record ConnectView(
            String server, String back, String location, String issuer, String resource, String scope) {}

    /** The view of a tool, with all that its server says of it as text. */
    public record ToolCard(
            String path,
            String name,
            String title,
            String description,
            String schema,
            String state,
            String stateText,
            String colour,
            String effect,
            String digest) {

        /** The codes of what a tool may be judged to do. */
        public static final List<String> EFFECTS =
                Arrays.stream(JudgedEffect.values()).map(JudgedEffect::code).toList();

        static ToolCard of(ToolServer server, ServerTool tool, Reader reader) {
            var definition = tool.definition();
            return new ToolCard(
                    ToolServerPages.path(server.id()) + "/tools/" + tool.name(),
                    tool.name(),
                    VisibleText.of(definition.title()),
                    VisibleText.of(definition.description()),
                    VisibleText.of(definition.inputSchema().toPrettyString()),
                    tool.state().code(),
                    reader.text("agents.tool-state." + tool.state().code()),
                    colour(tool.state()),
                    tool.effect().code(),
                    definition.digest());
        }

        private static String colour(ToolState state) {
            return switch (state) {
                case ALLOWED -> "completed";
                case NEW -> "waiting";
                case CHANGED, UNUSABLE -> "failed";
                case GONE -> "partial";
            };
        }

        public boolean isAllowed() {
            return state.equals("allowed") || state.equals("changed") || state.equals("gone");
        }

        public boolean mayBeAllowed() {
            return !state.equals("unusable") && !state.equals("gone");
        }
    }
}
