package io.hiroba.accounts;

import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Users over HTTP. */
public final class UserRoutes implements Routes {

    private static final String LIST = "users";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final Users users;
    private final Credentials credentials;
    private final Idempotency idempotency;
    private final Cursors cursors;
    private final AccountDeletion deletion;

    public UserRoutes(
            Users users, Credentials credentials, Idempotency idempotency, Cursors cursors, AccountDeletion deletion) {
        this.users = users;
        this.credentials = credentials;
        this.idempotency = idempotency;
        this.cursors = cursors;
        this.deletion = deletion;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/me", this::me);
        routes.get("/api/v1/users", this::list);
        routes.post("/api/v1/users", this::create);
        routes.get("/api/v1/users/{id}", this::get);
        routes.put("/api/v1/users/{id}", this::update);
        routes.delete("/api/v1/users/{id}", this::delete);
    }

    private void me(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(UserView.of(users.profile(caller.user()), caller));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(LIST, request)
                .map(cursor -> new NicknamePosition(cursor.text(0), new UserId(cursor.number(1))));
        var prefix = Optional.ofNullable(ctx.queryParam("nicknamePrefix")).orElse("");
        var found = users.list(prefix, after, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(user -> UserView.of(user, caller)));
    }

    private String cursor(User last) {
        return cursors.write(
                LIST, Cursor.of(last.nickname().value(), Long.toString(last.id().value())));
    }

    private record Creation(
            String email,
            String nickname,
            String password,
            @Nullable Boolean isAdmin) {}

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var request = Body.json(ctx, Creation.class);
        var user = new NewUser(
                Email.parse(request.email()),
                Nickname.parse(request.nickname()),
                credentials.hash(new Password(request.password())),
                Boolean.TRUE.equals(request.isAdmin()));
        // The password stays out of the stored fingerprint: an unsalted hash of it could be guessed.
        var fingerprint =
                Json.bytes(List.of(user.email().value(), user.nickname().value(), user.admin()));
        idempotency.run(ctx, caller.user().hex(), fingerprint, tx -> {
            var made = users.create(tx, caller, user);
            return Answer.created("/api/v1/users/" + made.user().id().hex(), UserView.of(made, caller));
        });
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(UserView.of(users.profile(id(ctx)), caller));
    }

    private record Replacement(
            String nickname,
            String introduction,
            @Nullable String avatar,
            @Nullable String aiModel,
            @Nullable String aiPersonality,
            @Nullable String timeZone,
            @Nullable Boolean isAdmin,
            @Nullable String email) {

        UserUpdate update() {
            return new UserUpdate(
                    Nickname.parse(nickname),
                    introduction,
                    avatar,
                    aiModel,
                    aiPersonality,
                    timeZone == null ? null : UserUpdate.timeZone(timeZone),
                    isAdmin,
                    email == null ? null : Email.parse(email));
        }
    }

    private void update(Context ctx) {
        var caller = Caller.of(ctx);
        var update = Body.json(ctx, Replacement.class).update();
        ctx.json(UserView.of(users.update(caller, id(ctx), update), caller));
    }

    private void delete(Context ctx) {
        ctx.status(deletion.delete(Caller.of(ctx), id(ctx)) ? 204 : 202);
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }
}
