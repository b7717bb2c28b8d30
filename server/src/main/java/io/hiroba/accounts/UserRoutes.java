package io.hiroba.accounts;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.hiroba.accounts.Suspensions.AccountStatus;
import io.hiroba.accounts.Suspensions.Suspension;
import io.hiroba.accounts.UserList.Filter;
import io.hiroba.accounts.UserList.Order;
import io.hiroba.accounts.Users.NewUser;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.markdown.Markdown;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of users. */
final class UserRoutes implements Routes {

    private final Users users;
    private final Credentials credentials;
    private final Idempotency idempotency;
    private final UserList list;
    private final Suspensions suspensions;
    private final Sessions sessions;

    UserRoutes(
            Users users,
            Credentials credentials,
            Idempotency idempotency,
            UserList list,
            Suspensions suspensions,
            Sessions sessions) {
        this.sessions = sessions;
        this.users = users;
        this.credentials = credentials;
        this.idempotency = idempotency;
        this.list = list;
        this.suspensions = suspensions;
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
        ctx.json(view(users.profile(caller.user()), caller));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var prefix = Optional.ofNullable(ctx.queryParam("nicknamePrefix")).orElse("");
        var order = QueryParams.of(ctx).text("order");
        var filter = QueryParams.of(ctx).text("filter");
        if (filter != null) {
            if (order != null || !prefix.isEmpty()) {
                throw HttpProblem.invalid("filter", Text.of("accounts.field.filter-alone"));
            }
            ctx.json(list.page(ctx, caller, filter(filter)).map(row -> UserView.of(row, caller)));
            return;
        }
        ctx.json(list.page(ctx, prefix, order == null ? Order.NAME : order(order))
                .map(row -> UserView.of(row, caller)));
    }

    private static Filter filter(String value) {
        return Filter.of(value)
                .orElseThrow(() -> HttpProblem.invalid("filter", Text.of("http.field.one-of", "values", Filter.all())));
    }

    private static Order order(String value) {
        return Order.of(value)
                .orElseThrow(() -> HttpProblem.invalid("order", Text.of("http.field.one-of", "values", Order.all())));
    }

    private record CreateBody(
            String email,
            String nickname,
            String password,
            @Nullable Boolean isAdmin,
            @Nullable String currentPassword) {}

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var request = Body.json(ctx, CreateBody.class);
        var email = Email.parse(request.email());
        var nickname = Nickname.parse(request.nickname());
        var user = new NewUser(
                email,
                nickname,
                credentials.hashChosen(new Password(request.password()), nickname, email),
                Boolean.TRUE.equals(request.isAdmin()));
        // The password stays out of the stored fingerprint: an unsalted hash of it could be guessed.
        var fingerprint =
                Json.bytes(List.of(user.email().value(), user.nickname().value(), user.admin()));
        var confirmation = confirm(caller, request.currentPassword());
        idempotency.run(ctx, caller.user().hex(), fingerprint, tx -> {
            var created = users.create(tx, caller, user, confirmation);
            return Answer.created(
                    "/api/v1/users/" + created.user().id().hex(), UserView.of(created, AccountStatus.UNKNOWN, caller));
        });
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(view(users.profile(id(ctx)), caller));
    }

    private record UpdateBody(
            String nickname,
            String introduction,
            @Nullable String avatar,
            @Nullable String aiModel,
            @Nullable String aiPersonality,
            @Nullable String timeZone,
            @Nullable Boolean isAdmin,
            @Nullable String email,
            @Nullable String language,
            @Nullable String password) {

        UserUpdate update() {
            return new UserUpdate(
                    Nickname.parse(nickname),
                    introduction,
                    avatar,
                    aiModel,
                    aiPersonality,
                    timeZone == null ? null : UserUpdate.timeZone(timeZone),
                    isAdmin,
                    email == null ? null : Email.parse(email),
                    language == null ? null : UserUpdate.language(language));
        }
    }

    private void update(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, UpdateBody.class);
        var confirmation = confirm(caller, request.password());
        ctx.json(view(users.update(caller, id(ctx), request.update(), confirmation), caller));
    }

    private Sessions.Confirmation confirm(Caller caller, @Nullable String password) {
        return sessions.confirmAdmin(caller, password == null ? "" : password);
    }

    private UserView.Single view(Profile profile, Caller caller) {
        var status = caller.admin() ? suspensions.status(caller, profile.user().id()) : AccountStatus.UNKNOWN;
        return UserView.of(profile, status, caller);
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    /**
     * The JSON of a user for one caller.
     *
     * @param email masked unless it is the caller's own or the caller is an admin
     * @param snippet the tree of the introduction's beginning
     */
    private record UserView(
            String id,
            String nickname,
            String kind,
            boolean isAdmin,
            String email,
            @Nullable String avatar,
            @Nullable String aiModel,
            JsonNode snippet,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        /** The JSON of a user in the list of users. */
        record Summary(@JsonUnwrapped UserView user, int countPosts, int countFollowers, int countFollowees) {}

        /** The Markdown as it was written, and its HTML, safe to insert into a page. */
        record Introduction(String markdown, String html) {}

        /** The JSON of a suspension. */
        record SuspensionView(Instant at, @Nullable Instant until, String byId, String reason) {

            static @Nullable SuspensionView of(@Nullable Suspension suspension) {
                return suspension == null
                        ? null
                        : new SuspensionView(
                                suspension.at(),
                                suspension.until(),
                                suspension.by().hex(),
                                suspension.reason());
            }
        }

        /**
         * The JSON of a single user with their introduction; the last two are for admins, and the three before for the user as
         * well.
         */
        record Single(
                @JsonUnwrapped UserView user,
                Introduction introduction,
                @Nullable String aiPersonality,
                @Nullable String timeZone,
                @Nullable String language,
                @Nullable SuspensionView suspension,
                @Nullable Instant lastSeenAt) {}

        static UserView of(User user, Caller caller) {
            return new UserView(
                    user.id().hex(),
                    user.nickname().value(),
                    user.kind().name().toLowerCase(Locale.ROOT),
                    user.admin(),
                    caller.mayChange(user.id())
                            ? user.email().value()
                            : user.email().masked(),
                    user.avatar(),
                    user.aiModel(),
                    Json.mapper().readTree(user.snippet()),
                    user.createdAt(),
                    user.updatedAt());
        }

        static Summary of(UserList.Row row, Caller caller) {
            var counts = row.counts();
            return new Summary(of(row.user(), caller), counts.posts(), counts.followers(), counts.followees());
        }

        static Single of(Profile profile, AccountStatus status, Caller caller) {
            var all = caller.mayChange(profile.user().id());
            var zone = profile.timeZone();
            var language = profile.language();
            var html = Markdown.parse(profile.introduction()).html();
            return new Single(
                    of(profile.user(), caller),
                    new Introduction(profile.introduction(), html),
                    all ? profile.aiPersonality() : null,
                    all && zone != null ? zone.getId() : null,
                    all && language != null ? language.code() : null,
                    SuspensionView.of(status.suspension()),
                    status.lastSeenAt());
        }
    }
}
