package io.hiroba.accounts;

import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pages on which people let apps in, and disconnect them. */
public final class AppPages implements Routes {

    private static final int MAX_SHOWN = 100;

    /** The parameters of the request that the form repeats. */
    private static final List<String> REPEATED = List.of(
            "response_type",
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "resource",
            "code_challenge",
            "code_challenge_method");

    private final Shell shell;
    private final Readers readers;
    private final OAuthClients clients;
    private final Apps apps;
    private final Sessions sessions;
    private final Users users;
    private final OAuthIssuer issuer;

    AppPages(
            Shell shell,
            Readers readers,
            OAuthClients clients,
            Apps apps,
            Sessions sessions,
            Users users,
            OAuthIssuer issuer) {
        this.shell = shell;
        this.readers = readers;
        this.clients = clients;
        this.apps = apps;
        this.sessions = sessions;
        this.users = users;
        this.issuer = issuer;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/oauth/authorize", this::ask);
        routes.post("/oauth/authorize", this::decide);
        routes.get("/settings/apps", this::list);
        routes.post("/settings/apps/{id}/disconnect", this::disconnect);
    }

    /** An app to which a browser may be sent back, whatever else is wrong with its request. */
    private record Destination(
            OAuthClient client,
            RedirectUri redirectUri,
            @Nullable String state) {}

    /** Until the app and its address are known to belong together, errors are a page: nobody is sent to just any address. */
    private Destination destination(OAuthParameters parameters) {
        try {
            var client = clients.find(parameters.get("client_id")).orElseThrow(AccountsProblem::unknownApp);
            var redirectUri = client.redirect(parameters.find("redirect_uri")).orElseThrow(AccountsProblem::unknownApp);
            return new Destination(client, redirectUri, parameters.find("state").orElse(null));
        } catch (OAuthError error) {
            throw AccountsProblem.unknownApp();
        }
    }

    private void ask(Context ctx) {
        if (ctx.header("HX-Request") != null) {
            // The page has a content security policy of its own, which a page that is swapped in would not get.
            ctx.header("HX-Redirect", LocalPath.of(ctx));
            return;
        }
        var parameters = new OAuthParameters(ctx.queryParamMap());
        var destination = destination(parameters);
        var caller = Caller.of(ctx);
        try {
            var request = AuthorizationRequest.of(
                    destination.client(), destination.redirectUri(), parameters, issuer.of(ctx));
            if (useful(caller, request.scopes()).findAny().isEmpty()) {
                throw OAuthError.invalidScope("None of the scopes is of use to this account.");
            }
            show(ctx, parameters, request, Form.EMPTY, suggested(caller, request.scopes()));
        } catch (OAuthError error) {
            showError(ctx, destination, error);
        }
    }

    private void decide(Context ctx) {
        var caller = Caller.of(ctx);
        var parameters = new OAuthParameters(ctx.formParamMap());
        var destination = destination(parameters);
        try {
            var request = AuthorizationRequest.of(
                    destination.client(), destination.redirectUri(), parameters, issuer.of(ctx));
            if (!parameters.find("decision").equals(Optional.of("allow"))) {
                throw OAuthError.accessDenied();
            }
            allow(ctx, caller, parameters, request, destination);
        } catch (OAuthError error) {
            refuse(ctx, destination, error);
        }
    }

    private void allow(
            Context ctx,
            Caller caller,
            OAuthParameters parameters,
            AuthorizationRequest request,
            Destination destination) {
        var form = Form.of(ctx, "password", "granted");
        var chosen = ctx.formParams("granted");
        try {
            if (chosen.isEmpty()) {
                throw HttpProblem.invalid("granted", Text.of("accounts.field.choose-scope"));
            }
            var granted = Granted.of(chosen);
            if (!request.scopes().contains(granted)) {
                throw OAuthError.invalidScope("The scope is more than the app asked for.");
            }
            var code = apps.allow(caller, request, granted, form.value("password"));
            send(ctx, destination, Map.of("code", code));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, parameters, request, form.refused(refusal), Set.copyOf(chosen));
        }
    }

    /** Anybody may register an app, so nobody is sent to one before they have seen where that is (RFC 9700, 4.11.2). */
    private void showError(Context ctx, Destination destination, OAuthError error) {
        ctx.status(HttpStatus.BAD_REQUEST);
        var place = place(ctx, destination.redirectUri());
        var view = new ConsentError(
                destination.client().name(), place, error.code(), answer(ctx, destination, parameters(error)));
        shell.page(ctx, Text.of("accounts.consent"), "accounts/consent-error", Map.of("error", view));
    }

    private void refuse(Context ctx, Destination destination, OAuthError error) {
        send(ctx, destination, parameters(error));
    }

    private static Map<String, String> parameters(OAuthError error) {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("error", error.code());
        parameters.put("error_description", error.description());
        return parameters;
    }

    private void send(Context ctx, Destination destination, Map<String, String> parameters) {
        ctx.redirect(answer(ctx, destination, parameters), HttpStatus.SEE_OTHER);
    }

    private String answer(Context ctx, Destination destination, Map<String, String> parameters) {
        return AuthorizationRequest.answer(destination.redirectUri(), destination.state(), issuer.of(ctx), parameters);
    }

    private String place(Context ctx, RedirectUri redirectUri) {
        return redirectUri.isLoopback()
                ? shell.text(ctx, Text.of("accounts.consent-own-machine", "place", redirectUri.place()))
                : redirectUri.place();
    }

    /** The scopes that are ticked at first: all that were asked for but the rights of an admin, which have to be meant. */
    private static Set<String> suggested(Caller caller, Granted asked) {
        return Set.copyOf(useful(caller, asked)
                .filter(code -> TokenScope.find(code)
                        .filter(scope -> !scope.isForAdmins())
                        .isPresent())
                .toList());
    }

    private static Stream<String> useful(Caller caller, Granted asked) {
        return asked.listed().stream()
                .filter(code -> caller.admin()
                        || TokenScope.find(code)
                                .filter(scope -> !scope.isForAdmins())
                                .isPresent());
    }

    private void show(
            Context ctx, OAuthParameters parameters, AuthorizationRequest request, Form form, Set<String> chosen) {
        var caller = Caller.of(ctx);
        var repeated = new LinkedHashMap<String, String>();
        REPEATED.forEach(name -> parameters.values().getOrDefault(name, List.of()).stream()
                .findFirst()
                .ifPresent(value -> repeated.put(name, value)));
        var boxes = useful(caller, request.scopes())
                .map(code ->
                        new AskedScope(code, TokenScope.find(code).orElseThrow().description(), chosen.contains(code)))
                .toList();
        allowFormTarget(ctx, request.redirectUri());
        shell.page(
                ctx,
                Text.of("accounts.consent"),
                "accounts/consent",
                Map.of(
                        "form",
                        form.without("password"),
                        "consent",
                        new ConsentView(
                                request.client().name(),
                                place(ctx, request.redirectUri()),
                                users.profile(caller.user()).user().email().value(),
                                boxes,
                                repeated),
                        "isConfirmed",
                        sessions.isConfirmed(caller)));
    }

    /** Browsers hold a form to the policy of its page also where the answer to it sends them on. */
    private static void allowFormTarget(Context ctx, RedirectUri redirectUri) {
        var policy = String.valueOf(ctx.res().getHeader("Content-Security-Policy"));
        ctx.header(
                "Content-Security-Policy",
                policy.replace("form-action 'self'", "form-action 'self' " + redirectUri.formTarget()));
    }

    private void list(Context ctx) {
        var reader = readers.reader(ctx);
        var views = apps.list(Caller.of(ctx), Optional.empty(), MAX_SHOWN).stream()
                .map(app -> view(app, reader))
                .toList();
        shell.page(ctx, Text.of("accounts.apps"), "accounts/settings-apps", Map.of("apps", views));
    }

    private static AppView view(Apps.ConnectedApp app, Reader reader) {
        return new AppView(
                app.id().hex(),
                app.name(),
                reader.text(
                        "accounts.apps-about",
                        "place",
                        app.place(),
                        "date",
                        reader.date(app.connectedAt()),
                        "when",
                        reader.dateTime(app.lastUsedAt())),
                String.join(", ", app.scopes().listed()));
    }

    private void disconnect(Context ctx) {
        apps.disconnect(Caller.of(ctx), AppId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, "/settings/apps", Text.of("accounts.apps-disconnected"));
    }

    /** The view of a connected app. */
    public record AppView(String id, String name, String about, String scopes) {}

    /**
     * The view of an app that asks to be let in.
     *
     * @param repeated the parameters of its request
     */
    public record ConsentView(
            String app, String place, String account, List<AskedScope> scopes, Map<String, String> repeated) {

        public ConsentView {
            scopes = List.copyOf(scopes);
            repeated = Map.copyOf(repeated);
        }
    }

    /**
     * The view of a request that is not acceptable.
     *
     * @param link leads back to the app, with the error
     */
    public record ConsentError(String app, String place, String code, String link) {}

    /** A scope that an app asks for. */
    public record AskedScope(String code, Text description, boolean isChosen) {}
}
