package io.hiroba.agents.remote;

import io.hiroba.accounts.Caller;
import io.hiroba.agents.remote.ToolServerPages.ConnectView;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The pages on which admins connect servers of tools by OAuth. */
final class ToolServerConnectionPages implements Routes {

    private static final String CALLBACK = ToolServerPages.PATH + "/oauth/callback";
    private static final String ONE = ToolServerPages.PATH + "/{id}";

    private final Shell shell;
    private final ToolServers servers;
    private final ToolServerConnections connections;
    private final ToolServerPages pages;
    private final String publicUrl;

    /** @param publicUrl empty if it is not configured */
    ToolServerConnectionPages(
            Shell shell,
            ToolServers servers,
            ToolServerConnections connections,
            ToolServerPages pages,
            String publicUrl) {
        this.shell = shell;
        this.servers = servers;
        this.connections = connections;
        this.pages = pages;
        this.publicUrl = publicUrl;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(ONE + "/connect", this::connect);
        routes.post(ONE + "/disconnect", this::disconnect);
        routes.get(CALLBACK, this::finish);
    }

    /** A page with a link: browsers let no form lead to another site, and an admin sees where it leads. */
    private void connect(Context ctx) throws InterruptedException {
        var caller = Caller.of(ctx);
        var id = Ids.parse(ctx.pathParam("id"));
        var form = Form.of(ctx, "clientId", "clientSecret");
        try {
            var begun = connections.begin(
                    caller,
                    id,
                    form.value("clientId").strip(),
                    form.value("clientSecret").strip(),
                    redirectUri(ctx));
            shell.page(
                    ctx,
                    Text.of("agents.connect"),
                    "agents/tool-server-connect",
                    Map.of(
                            "view",
                            new ConnectView(
                                    servers.get(caller, id).server().name(),
                                    ToolServerPages.path(id),
                                    begun.location(),
                                    begun.issuer(),
                                    begun.resource(),
                                    begun.scope())));
        } catch (Problem refusal) {
            pages.refused(ctx, id, refusal);
        }
    }

    private void finish(Context ctx) throws InterruptedException {
        var finished = connections.finish(Caller.of(ctx), ctx.queryParamMap());
        var refusal = finished.refusal();
        if (refusal == null) {
            shell.seeOther(ctx, ToolServerPages.path(finished.server()), Text.of("agents.connected"));
        } else {
            pages.refused(ctx, finished.server(), refusal);
        }
    }

    private void disconnect(Context ctx) throws InterruptedException {
        var id = Ids.parse(ctx.pathParam("id"));
        connections.end(Caller.of(ctx), id);
        shell.seeOther(ctx, ToolServerPages.path(id), Text.of("agents.disconnected"));
    }

    private String redirectUri(Context ctx) {
        return (publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl) + CALLBACK;
    }
}
