package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.ExternalIdentities;
import io.hiroba.inbox.fanout.ExternalIdentity;
import io.hiroba.inbox.fanout.IdentityId;
import io.hiroba.inbox.gitlab.AccountLinking;
import io.hiroba.inbox.gitlab.Connection;
import io.hiroba.inbox.gitlab.Connections;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pages of connections and of account links to confirm, for admins. */
public final class ConnectionPages implements Routes {

    private static final String ONE = InboxNav.CONNECTIONS + "/{id}";
    private static final String NAMES = InboxNav.CONNECTIONS + "/names/{id}";
    private static final int CLAIMS = 50;

    private final Shell shell;
    private final Connections connections;
    private final ExternalIdentities identities;
    private final Users users;

    public ConnectionPages(Shell shell, Connections connections, ExternalIdentities identities, Users users) {
        this.shell = shell;
        this.connections = connections;
        this.identities = identities;
        this.users = users;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(InboxNav.CONNECTIONS, ctx -> list(ctx, Form.EMPTY));
        routes.post(InboxNav.CONNECTIONS, this::create);
        routes.post(NAMES + "/confirm", this::confirm);
        routes.post(NAMES + "/refuse", this::reject);
        routes.post(ONE, this::update);
        routes.post(ONE + "/secret", this::renewSecret);
        routes.post(ONE + "/delete", this::delete);
    }

    /**
     * A claim to a GitLab user name.
     *
     * @param where the GitLab that it is for
     */
    public record Claim(String id, String user, String nickname, String name, Text where) {}

    private Claim claim(ExternalIdentity identity, List<Connection> all) {
        var name = identity.name();
        var user = identity.user();
        var where = all.stream()
                .filter(connection -> connection.id().equals(name.connection()))
                .map(connection -> Text.of("inbox.claim-in", "connection", connection.name()))
                .findFirst()
                .orElse(Text.of("inbox.claim-everywhere"));
        return new Claim(
                identity.id().hex(),
                user.hex(),
                users.find(user)
                        .map(profile -> profile.user().nickname().value())
                        .orElse(user.hex()),
                name.username() == null ? String.valueOf(name.email()) : "@" + name.username(),
                where);
    }

    private void list(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var all = connections.list(caller);
        var items = all.stream()
                .map(connection -> ConnectionDetails.Item.of(connection, connections.url(connection.id())))
                .toList();
        List<Claim> claims = identities.waiting(caller, Optional.empty(), CLAIMS).stream()
                .map(identity -> claim(identity, all))
                .toList();
        shell.page(
                ctx,
                Text.of("inbox.connections"),
                "inbox/connections",
                Map.of("connections", items, "claims", claims, "form", form));
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var form = Form.of(ctx, "name", "linking");
        try {
            show(ctx, connections.create(caller, form.value("name"), linking(form)));
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.INVALID) {
                throw refusal;
            }
            shell.refused(ctx, refusal, InboxNav.CONNECTIONS);
            list(ctx, form.refused(refusal));
        }
    }

    private void renewSecret(Context ctx) {
        show(ctx, connections.renewSecret(Caller.of(ctx), id(ctx)));
    }

    /** Renders at once instead of redirecting: the secret is not stored and could not be shown later. */
    private void show(Context ctx, Connections.Issued issued) {
        ctx.header(
                "HX-Push-Url", InboxNav.CONNECTIONS + "/" + issued.connection().id());
        shell.page(
                ctx,
                Text.of("inbox.connect-gitlab"),
                "inbox/connection-setup",
                Map.of("setup", HookSetup.of(issued, connections.isLocal())));
    }

    private void update(Context ctx) {
        var form = Form.of(ctx, "name", "enabled", "linking");
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var name = form.value("name").isBlank() ? null : form.value("name");
        connections.update(caller, id(ctx), name, form.isChecked("enabled"), linking(form));
        shell.seeOther(ctx, InboxNav.CONNECTIONS + "/" + id(ctx), Text.of("inbox.connection-saved"));
    }

    private void delete(Context ctx) {
        connections.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, InboxNav.CONNECTIONS, Text.of("inbox.connection-deleted"));
    }

    private void confirm(Context ctx) {
        identities.confirm(Caller.of(ctx), IdentityId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.CONNECTIONS, Text.of("inbox.claim-confirmed"));
    }

    private void reject(Context ctx) {
        identities.reject(Caller.of(ctx), IdentityId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.CONNECTIONS, Text.of("inbox.claim-rejected"));
    }

    private static AccountLinking linking(Form form) {
        return AccountLinking.parse(
                form.value("linking").isEmpty() ? AccountLinking.CONFIRMED.text() : form.value("linking"));
    }

    private static ConnectionId id(Context ctx) {
        return ConnectionId.parse(ctx.pathParam("id"));
    }
}
