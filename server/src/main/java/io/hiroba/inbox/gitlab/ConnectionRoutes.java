package io.hiroba.inbox.gitlab;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The API of connections, for admins. Creating one accepts no Idempotency-Key: its response holds a secret, which must not
 * be stored.
 */
final class ConnectionRoutes implements Routes {

    private static final String PATH = "/api/v1/inbox/connections";

    private static final String PUBLIC_URL_OPTION = "--http.public-url https://square.example";
    private static final String PUBLIC_URL_VARIABLE = "HIROBA_HTTP_PUBLIC_URL";

    private final Connections connections;

    ConnectionRoutes(Connections connections) {
        this.connections = connections;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::create);
        routes.get(PATH, this::list);
        routes.get(PATH + "/{id}", this::get);
        routes.patch(PATH + "/{id}", this::update);
        routes.delete(PATH + "/{id}", this::delete);
        routes.post(PATH + "/{id}/secret", this::renewSecret);
    }

    private record CreateRequest(
            String kind, String name, @Nullable String linking) {}

    private record UpdateRequest(
            @Nullable String name,
            @Nullable Boolean enabled,
            @Nullable String linking) {}

    private record IssuedView(
            String id,
            String kind,
            String name,
            String linking,
            boolean enabled,
            String url,
            String secret,
            @Nullable String warning) {

        static IssuedView of(Connections.Issued issued, @Nullable String warning) {
            var connection = issued.connection();
            return new IssuedView(
                    connection.id().hex(),
                    "gitlab",
                    connection.name(),
                    connection.linking().text(),
                    connection.enabled(),
                    issued.url(),
                    issued.secret(),
                    warning);
        }
    }

    private record View(
            String id,
            String kind,
            String name,
            String linking,
            boolean enabled,
            String url,
            Instant createdAt,
            @Nullable String warning) {}

    private record Listing(List<View> items) {}

    private void create(Context ctx) {
        var request = Body.json(ctx, CreateRequest.class);
        var caller = Caller.of(ctx);
        if (!request.kind().equals("gitlab")) {
            throw InboxProblem.invalid("kind", Text.of("inbox.field.only", "value", "gitlab"));
        }
        var linking = request.linking() == null ? AccountLinking.CONFIRMED : AccountLinking.parse(request.linking());
        var issued = connections.create(caller, request.name(), linking);
        ctx.status(201)
                .header("Location", PATH + "/" + issued.connection().id().hex())
                .json(IssuedView.of(issued, warning(issued.connection(), ctx)));
    }

    private void list(Context ctx) {
        ctx.json(new Listing(connections.list(Caller.of(ctx)).stream()
                .map(connection -> view(connection, ctx))
                .toList()));
    }

    private void get(Context ctx) {
        ctx.json(view(connections.get(Caller.of(ctx), id(ctx)), ctx));
    }

    private void update(Context ctx) {
        var request = Body.json(ctx, UpdateRequest.class);
        var linking = request.linking() == null ? null : AccountLinking.parse(request.linking());
        var updated = connections.update(Caller.of(ctx), id(ctx), request.name(), request.enabled(), linking);
        ctx.json(view(updated, ctx));
    }

    private void renewSecret(Context ctx) {
        var issued = connections.renewSecret(Caller.of(ctx), id(ctx));
        ctx.json(IssuedView.of(issued, warning(issued.connection(), ctx)));
    }

    private void delete(Context ctx) {
        connections.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static ConnectionId id(Context ctx) {
        return ConnectionId.parse(ctx.pathParam("id"));
    }

    /** Says, each on a line, that GitLab does not reach this server, and what open linking lets strangers do. */
    private @Nullable String warning(Connection connection, Context ctx) {
        var language = RequestLanguage.of(ctx);
        var warnings = Stream.of(
                        connections.isLocal()
                                ? Optional.of(Text.of(
                                        "inbox.setup-local",
                                        "option",
                                        PUBLIC_URL_OPTION,
                                        "variable",
                                        PUBLIC_URL_VARIABLE))
                                : Optional.<Text>empty(),
                        connection.linking() == AccountLinking.OPEN
                                ? Optional.of(Text.of("inbox.links-open-hint"))
                                : Optional.<Text>empty())
                .flatMap(Optional::stream)
                .map(text -> text.in(language))
                .toList();
        return warnings.isEmpty() ? null : String.join("\n", warnings);
    }

    private View view(Connection connection, Context ctx) {
        return new View(
                connection.id().hex(),
                "gitlab",
                connection.name(),
                connection.linking().text(),
                connection.enabled(),
                connections.url(connection.id()),
                connection.createdAt(),
                warning(connection, ctx));
    }
}
