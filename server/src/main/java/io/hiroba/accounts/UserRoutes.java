package io.hiroba.accounts;

import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of users. */
final class UserRoutes implements Routes {

    private final Users users;
    private final Credentials credentials;
    private final Idempotency idempotency;
    private final KeysetList<User, NicknamePosition> list;

    UserRoutes(Users users, Credentials credentials, Idempotency idempotency, Cursors cursors) {
        this.users = users;
        this.credentials = credentials;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "users",
                NicknamePosition::of,
                user -> NicknamePosition.of(user).cursor());
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/me", this::me);
        routes.get("/api/v1/users", this::list);
        routes.post("/api/v1/users", this::create);
        routes.get("/api/v1/users/{id}", this::get);
        routes.put("/api/v1/users/{id}", this::update);
    }

    private void me(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(UserView.of(users.profile(caller.user()), caller));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var prefix = Optional.ofNullable(ctx.queryParam("nicknamePrefix")).orElse("");
        ctx.json(list.page(ctx, (after, limit) -> users.list(prefix, after, limit))
                .map(user -> UserView.of(user, caller)));
    }

    private record CreateBody(
            String email,
            String nickname,
            String password,
            @Nullable Boolean isAdmin) {}

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var request = Body.json(ctx, CreateBody.class);
        var user = new NewUser(
                Email.parse(request.email()),
                Nickname.parse(request.nickname()),
                credentials.hash(new Password(request.password())),
                Boolean.TRUE.equals(request.isAdmin()));
        // The password stays out of the stored fingerprint: an unsalted hash of it could be guessed.
        var fingerprint =
                Json.bytes(List.of(user.email().value(), user.nickname().value(), user.admin()));
        idempotency.run(ctx, caller.user().hex(), fingerprint, tx -> {
            var created = users.create(tx, caller, user);
            return Answer.created("/api/v1/users/" + created.user().id().hex(), UserView.of(created, caller));
        });
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(UserView.of(users.profile(id(ctx)), caller));
    }

    private record UpdateBody(
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
        var update = Body.json(ctx, UpdateBody.class).update();
        ctx.json(UserView.of(users.update(caller, id(ctx), update), caller));
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }
}
