package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.gitlab.connections.Connection;
import io.hiroba.inbox.gitlab.connections.Connections;
import io.hiroba.inbox.gitlab.connections.IssuedConnection;
import io.hiroba.inbox.gitlab.connections.Linking;
import io.hiroba.inbox.people.Identities;
import io.hiroba.inbox.people.Identity;
import io.hiroba.inbox.people.IdentityId;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The GitLabs whose webhooks come here, and the names in them that wait to be confirmed: for admins. */
public final class ConnectionPages implements Routes {

    private static final String ONE = InboxNav.CONNECTIONS + "/{id}";
    private static final String NAMES = InboxNav.CONNECTIONS + "/names/{id}";
    private static final int CLAIMS = 50;

    private final Shell shell;
    private final Connections connections;
    private final Identities identities;
    private final Users users;
    private final ReaderMoments moments;

    public ConnectionPages(
            Shell shell, Connections connections, Identities identities, Users users, ReaderMoments moments) {
        this.shell = shell;
        this.connections = connections;
        this.identities = identities;
        this.users = users;
        this.moments = moments;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(InboxNav.CONNECTIONS, ctx -> list(ctx, Form.EMPTY));
        routes.post(InboxNav.CONNECTIONS, this::make);
        routes.post(NAMES + "/confirm", this::confirm);
        routes.post(NAMES + "/refuse", this::refuse);
        routes.post(ONE, this::change);
        routes.post(ONE + "/secret", this::renew);
        routes.post(ONE + "/delete", this::delete);
    }

    /**
     * A name that somebody says to have.
     *
     * @param where the GitLab that is meant
     */
    public record Claim(String id, String user, String nickname, String name, String where) {}

    private Claim claim(Identity identity, List<Connection> all) {
        var name = identity.name();
        var user = identity.user();
        var where = all.stream()
                .filter(connection -> connection.id().equals(name.connection()))
                .map(connection -> "in " + connection.name())
                .findFirst()
                .orElse("in every GitLab");
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
        var now = moments.of(ctx);
        var all = connections.list(caller);
        var items = all.stream()
                .map(connection -> ConnectionSheet.Item.of(connection, connections.url(connection.id()), now))
                .toList();
        List<Claim> claims = identities.waiting(caller, Optional.empty(), CLAIMS).stream()
                .map(identity -> claim(identity, all))
                .toList();
        shell.page(
                ctx, "Connections", "inbox/connections", Map.of("connections", items, "claims", claims, "form", form));
    }

    private void make(Context ctx) {
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

    private void renew(Context ctx) {
        show(ctx, connections.renew(Caller.of(ctx), id(ctx)));
    }

    /** Not after a redirect: the secret is nowhere to be fetched from. */
    private void show(Context ctx, IssuedConnection issued) {
        ctx.header(
                "HX-Push-Url", InboxNav.CONNECTIONS + "/" + issued.connection().id());
        shell.page(ctx, "Connect GitLab", "inbox/connection-setup", Map.of("setup", HookSetup.of(issued)));
    }

    private void change(Context ctx) {
        var form = Form.of(ctx, "name", "enabled", "linking");
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var name = form.value("name").isBlank() ? null : form.value("name");
        connections.update(caller, id(ctx), name, form.isChecked("enabled"), linking(form));
        shell.seeOther(ctx, InboxNav.CONNECTIONS + "/" + id(ctx), "Saved.");
    }

    private void delete(Context ctx) {
        connections.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, InboxNav.CONNECTIONS, "The connection is deleted.");
    }

    private void confirm(Context ctx) {
        identities.confirm(Caller.of(ctx), IdentityId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.CONNECTIONS, "The name is confirmed.");
    }

    private void refuse(Context ctx) {
        identities.refuse(Caller.of(ctx), IdentityId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.CONNECTIONS, "The name is refused.");
    }

    private static Linking linking(Form form) {
        return Linking.parse(form.value("linking").isEmpty() ? Linking.CONFIRMED.text() : form.value("linking"));
    }

    private static ConnectionId id(Context ctx) {
        return ConnectionId.parse(ctx.pathParam("id"));
    }
}
