package io.hiroba.accounts.signin;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sessions and passwords over HTTP. */
public final class SessionRoutes implements Routes {

    private static final String LIST = "sessions";

    private final Sessions sessions;
    private final PasswordChange passwordChange;
    private final SessionCookie cookie;
    private final ClientAddress addresses;
    private final Cursors cursors;

    public SessionRoutes(
            Sessions sessions,
            PasswordChange passwordChange,
            SessionCookie cookie,
            ClientAddress addresses,
            Cursors cursors) {
        this.sessions = sessions;
        this.passwordChange = passwordChange;
        this.cookie = cookie;
        this.addresses = addresses;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.after("/*", cookie::prolong);
        routes.post("/api/v1/session", this::logIn);
        routes.delete("/api/v1/session", this::logOut);
        routes.post("/api/v1/session/switch", this::switchUser);
        routes.get("/api/v1/sessions", this::list);
        routes.delete("/api/v1/sessions/{id}", this::revoke);
        routes.put("/api/v1/users/{id}/password", this::changePassword);
    }

    private record LogIn(String email, String password) {}

    private record Begun(String id, String userId) {

        static Begun of(SignedIn signedIn) {
            return new Begun(signedIn.session().hex(), signedIn.user().hex());
        }
    }

    private void logIn(Context ctx) {
        var request = Body.json(ctx, LogIn.class);
        var signedIn = sessions.logIn(Client.of(ctx, addresses), Email.parse(request.email()), request.password());
        cookie.set(ctx, signedIn);
        ctx.status(201)
                .header("Location", "/api/v1/sessions/" + signedIn.session().hex())
                .json(Begun.of(signedIn));
    }

    private void logOut(Context ctx) {
        sessions.logOut(Caller.of(ctx));
        cookie.clear(ctx);
        ctx.status(204);
    }

    private record Switch(String userId) {}

    private void switchUser(Context ctx) {
        var caller = Caller.of(ctx);
        var to = UserId.parse(Body.json(ctx, Switch.class).userId());
        var signedIn = sessions.switchUser(caller, to);
        cookie.set(ctx, signedIn);
        ctx.json(Begun.of(signedIn));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, 50, 100);
        var before = cursors.read(LIST, request).map(cursor -> new SessionId(cursor.number(0)));
        var found = sessions.list(caller, before, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(session -> SessionView.of(session, caller)));
    }

    private String cursor(Session last) {
        return cursors.write(LIST, Cursor.of(Long.toString(last.id().value())));
    }

    private void revoke(Context ctx) {
        sessions.revoke(Caller.of(ctx), SessionId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private record PasswordBody(@Nullable String currentPassword, String newPassword) {}

    private void changePassword(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, PasswordBody.class);
        passwordChange.change(
                caller,
                UserId.parse(ctx.pathParam("id")),
                Optional.ofNullable(request.currentPassword()),
                new Password(request.newPassword()));
        ctx.status(204);
    }

    private record SessionView(
            String id,
            boolean current,
            boolean byAdmin,
            String address,
            String agent,
            Instant createdAt,
            Instant lastUsedAt,
            Instant expiresAt) {

        static SessionView of(Session session, Caller caller) {
            return new SessionView(
                    session.id().hex(),
                    caller.session().equals(Optional.of(session.id())),
                    session.admin() != null,
                    session.address(),
                    session.agent(),
                    session.createdAt(),
                    session.lastUsedAt(),
                    session.expiresAt());
        }
    }
}
