package io.hiroba.accounts;

import io.hiroba.accounts.Sessions.LogIn;
import io.hiroba.accounts.Sessions.StartedSession;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of sessions and passwords. */
final class SessionRoutes implements Routes {

    private final Sessions sessions;
    private final PasswordChange passwordChange;
    private final SessionCookie cookie;
    private final KnownDevices devices;
    private final ClientAddress addresses;
    private final KeysetList<UserSession, SessionId> list;
    private final KeysetList<LogIn, SessionId> logIns;

    SessionRoutes(
            Sessions sessions,
            PasswordChange passwordChange,
            SessionCookie cookie,
            KnownDevices devices,
            ClientAddress addresses,
            Cursors cursors) {
        this.sessions = sessions;
        this.passwordChange = passwordChange;
        this.cookie = cookie;
        this.devices = devices;
        this.addresses = addresses;
        this.list = new KeysetList<>(
                cursors,
                "sessions",
                50,
                100,
                cursor -> new SessionId(cursor.number(0)),
                session -> Cursor.of(Long.toString(session.id().value())));
        this.logIns = new KeysetList<>(
                cursors,
                "log-ins",
                50,
                100,
                cursor -> new SessionId(cursor.number(0)),
                logIn -> Cursor.of(Long.toString(logIn.id().value())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.after("/*", cookie::prolong);
        routes.post("/api/v1/session", this::logIn);
        routes.delete("/api/v1/session", this::logOut);
        routes.post("/api/v1/session/switch", this::switchUser);
        routes.get("/api/v1/sessions", this::list);
        routes.delete("/api/v1/sessions/{id}", this::revoke);
        routes.get("/api/v1/users/{id}/sessions", this::listOfUser);
        routes.delete("/api/v1/users/{id}/sessions/{sessionId}", this::revokeOfUser);
        routes.get("/api/v1/log-ins", this::logIns);
        routes.put("/api/v1/users/{id}/password", this::changePassword);
    }

    private record LogInBody(
            String email, String password, @Nullable String code) {}

    private record StartedView(String id, String userId) {

        static StartedView of(StartedSession signedIn) {
            return new StartedView(signedIn.session().hex(), signedIn.user().hex());
        }
    }

    private void logIn(Context ctx) {
        var request = Body.json(ctx, LogInBody.class);
        var code = Optional.ofNullable(request.code()).orElse("");
        var signedIn =
                sessions.logIn(ClientInfo.of(ctx, addresses), Email.parse(request.email()), request.password(), code);
        cookie.set(ctx, signedIn);
        devices.remember(ctx, signedIn.user());
        ctx.status(201)
                .header("Location", "/api/v1/sessions/" + signedIn.session().hex())
                .json(StartedView.of(signedIn));
    }

    private void logOut(Context ctx) {
        sessions.logOut(Caller.of(ctx));
        cookie.clear(ctx);
        ctx.status(204);
    }

    private record SwitchBody(String userId) {}

    private void switchUser(Context ctx) {
        var caller = Caller.of(ctx);
        var to = UserId.parse(Body.json(ctx, SwitchBody.class).userId());
        var signedIn = sessions.switchUser(caller, to);
        cookie.set(ctx, signedIn);
        ctx.json(StartedView.of(signedIn));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> sessions.list(caller, before, limit))
                .map(session -> SessionView.of(session, caller)));
    }

    private void listOfUser(Context ctx) {
        var caller = Caller.of(ctx);
        var user = UserId.parse(ctx.pathParam("id"));
        ctx.json(list.page(ctx, (before, limit) -> sessions.list(caller, user, before, limit))
                .map(session -> SessionView.of(session, caller)));
    }

    private void revokeOfUser(Context ctx) {
        sessions.revoke(Caller.of(ctx), UserId.parse(ctx.pathParam("id")), SessionId.parse(ctx.pathParam("sessionId")));
        ctx.status(204);
    }

    private record LogInView(String sessionId, Instant at, String address, String agent) {}

    private void logIns(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(logIns.page(ctx, (before, limit) -> sessions.logIns(caller, before, limit))
                .map(logIn -> new LogInView(logIn.id().hex(), logIn.at(), logIn.address(), logIn.agent())));
    }

    private void revoke(Context ctx) {
        sessions.revoke(Caller.of(ctx), SessionId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private record PasswordBody(
            @Nullable String password,
            @Nullable String currentPassword,
            String newPassword,
            @Nullable Boolean endTokens) {

        /** The caller's own password, by its name or the former one. */
        Optional<String> current() {
            return Optional.ofNullable(password).or(() -> Optional.ofNullable(currentPassword));
        }
    }

    private void changePassword(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, PasswordBody.class);
        var user = UserId.parse(ctx.pathParam("id"));
        try {
            var next = new Password(request.newPassword());
            passwordChange.change(caller, user, request.current(), next, !Boolean.FALSE.equals(request.endTokens()));
        } catch (AccountsProblem refusal) {
            // The rules are about the new one; `password` is the caller's own here.
            throw refusal.fields().isEmpty()
                    ? refusal
                    : AccountsProblem.invalid(
                            "newPassword", refusal.fields().getFirst().message());
        }
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

        static SessionView of(UserSession session, Caller caller) {
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
