package io.hiroba.accounts;

import io.hiroba.accounts.Apps.ConnectedApp;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The endpoints of OAuth that programs call, and the API of connected apps. None of the former looks at cookies, so any site may call
 * them: apps in a browser do.
 */
final class OAuthRoutes implements Routes {

    /** The paths that answer to the scripts of other sites. */
    static final List<String> CROSS_SITE = List.of("/oauth/token", "/oauth/register", "/oauth/revoke");

    private static final String SERVER_METADATA = "/.well-known/oauth-authorization-server";
    private static final String RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

    /** A resource of its own, whose metadata its feature tells. */
    private static final String MCP = "/mcp";

    private static final String NO_SECRET = "none";
    private static final List<String> METHODS = List.of(NO_SECRET, "client_secret_basic", "client_secret_post");
    private static final List<String> GRANTS = List.of("authorization_code", "refresh_token");
    private static final List<String> RESPONSES = List.of("code");

    private final OAuthClients clients;
    private final Apps apps;
    private final ClientAddress addresses;
    private final OAuthIssuer issuer;
    private final KeysetList<ConnectedApp, AppId> list;

    OAuthRoutes(OAuthClients clients, Apps apps, ClientAddress addresses, OAuthIssuer issuer, Cursors cursors) {
        this.clients = clients;
        this.apps = apps;
        this.addresses = addresses;
        this.issuer = issuer;
        this.list = new KeysetList<>(
                cursors,
                "apps",
                cursor -> new AppId(cursor.number(0)),
                app -> Cursor.of(Long.toString(app.id().value())));
    }

    @Override
    public void register(RoutesConfig routes) {
        var open = new ArrayList<>(CROSS_SITE);
        open.add(SERVER_METADATA);
        open.add(RESOURCE_METADATA);
        for (var path : open) {
            routes.before(path, OAuthRoutes::allowScripts);
            routes.options(path, ctx -> ctx.status(204));
        }
        routes.get(SERVER_METADATA, this::serverMetadata);
        routes.get(RESOURCE_METADATA, this::resourceMetadata);
        routes.post("/oauth/register", answering(this::registerClient));
        routes.post("/oauth/token", answering(this::token));
        routes.post("/oauth/revoke", answering(this::revoke));
        routes.get("/api/v1/apps", this::list);
        routes.delete("/api/v1/apps/{id}", this::disconnect);
        routes.after("/api/*", ctx -> challenge(ctx, RESOURCE_METADATA));
        routes.after(MCP, ctx -> challenge(ctx, RESOURCE_METADATA + MCP));
    }

    private static void allowScripts(Context ctx) {
        ctx.header("Access-Control-Allow-Origin", "*");
        ctx.header("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
        ctx.header("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version");
        ctx.header("Access-Control-Max-Age", "86400");
        ctx.header("Cross-Origin-Resource-Policy", "cross-origin");
    }

    /** Says to whoever comes without a valid token where one is to be had (RFC 9728). */
    private void challenge(Context ctx, String metadata) {
        if (ctx.statusCode() == 401) {
            ctx.header("WWW-Authenticate", "Bearer resource_metadata=\"" + issuer.of(ctx) + metadata + '"');
        }
    }

    private static Handler answering(Handler handler) {
        return ctx -> {
            try {
                handler.handle(ctx);
            } catch (OAuthError error) {
                if (error.status() == 401) {
                    ctx.header("WWW-Authenticate", "Basic realm=\"oauth\"");
                }
                ctx.status(error.status())
                        .json(Map.of("error", error.code(), "error_description", error.description()));
            }
        };
    }

    private void serverMetadata(Context ctx) {
        var base = issuer.of(ctx);
        var metadata = new LinkedHashMap<String, Object>();
        metadata.put("issuer", base);
        metadata.put("authorization_endpoint", base + "/oauth/authorize");
        metadata.put("token_endpoint", base + "/oauth/token");
        metadata.put("registration_endpoint", base + "/oauth/register");
        metadata.put("revocation_endpoint", base + "/oauth/revoke");
        metadata.put("scopes_supported", scopes());
        metadata.put("response_types_supported", RESPONSES);
        metadata.put("response_modes_supported", List.of("query"));
        metadata.put("grant_types_supported", GRANTS);
        metadata.put("token_endpoint_auth_methods_supported", METHODS);
        metadata.put("revocation_endpoint_auth_methods_supported", METHODS);
        metadata.put("code_challenge_methods_supported", List.of("S256"));
        metadata.put("authorization_response_iss_parameter_supported", true);
        metadata.put("service_documentation", base + "/docs");
        ctx.json(metadata);
    }

    private void resourceMetadata(Context ctx) {
        var base = issuer.of(ctx);
        var metadata = new LinkedHashMap<String, Object>();
        metadata.put("resource", base);
        metadata.put("authorization_servers", List.of(base));
        metadata.put("scopes_supported", scopes());
        metadata.put("bearer_methods_supported", List.of("header"));
        metadata.put("resource_name", "Hiroba");
        metadata.put("resource_documentation", base + "/docs");
        ctx.json(metadata);
    }

    /** The scopes without those of admins, since many apps ask for all that are listed. */
    private static List<String> scopes() {
        return Arrays.stream(TokenScope.values())
                .filter(scope -> !scope.isForAdmins())
                .map(TokenScope::code)
                .toList();
    }

    private void registerClient(Context ctx) {
        var metadata = metadata(ctx);
        var method = Optional.ofNullable(text(metadata, "token_endpoint_auth_method"))
                .orElse("client_secret_basic");
        if (!METHODS.contains(method)
                || !GRANTS.containsAll(texts(metadata, "grant_types"))
                || !RESPONSES.containsAll(texts(metadata, "response_types"))) {
            throw OAuthError.invalidMetadata("The authentication method, a grant type or a response type is unknown.");
        }
        var redirectUris = texts(metadata, "redirect_uris");
        var name = Optional.ofNullable(text(metadata, "client_name")).orElse("App");
        var registered = clients.register(addresses.bucket(ctx), name, redirectUris, !method.equals(NO_SECRET));
        var client = registered.client();
        var answer = new LinkedHashMap<String, Object>();
        answer.put("client_id", client.id().hex());
        answer.put("client_id_issued_at", client.id().createdAt().getEpochSecond());
        var secret = registered.secret();
        if (secret != null) {
            answer.put("client_secret", secret);
            answer.put("client_secret_expires_at", 0);
        }
        answer.put("client_name", client.name());
        answer.put("redirect_uris", redirectUris);
        answer.put("token_endpoint_auth_method", method);
        answer.put("grant_types", GRANTS);
        answer.put("response_types", RESPONSES);
        ctx.status(201).json(answer);
    }

    /** The metadata that an app gives of itself; what is not known is ignored, as RFC 7591 wants it. */
    private static JsonNode metadata(Context ctx) {
        try {
            var metadata = Json.mapper().readTree(Body.text(ctx));
            if (metadata != null && metadata.isObject()) {
                return metadata;
            }
        } catch (JacksonException e) {
            throw OAuthError.invalidMetadata("The body is not JSON.");
        }
        throw OAuthError.invalidMetadata("The body is not an object.");
    }

    private static @Nullable String text(JsonNode metadata, String name) {
        var value = metadata.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw OAuthError.invalidMetadata(name + " must be a text.");
        }
        return value.asString();
    }

    private static List<String> texts(JsonNode metadata, String name) {
        var texts = new ArrayList<String>();
        var list = metadata.path(name);
        if (!list.isMissingNode() && !list.isNull() && !list.isArray()) {
            throw OAuthError.invalidMetadata(name + " must be a list of texts.");
        }
        for (var value : list) {
            if (!value.isString()) {
                throw OAuthError.invalidMetadata(name + " must be a list of texts.");
            }
            texts.add(value.asString());
        }
        return texts;
    }

    private void token(Context ctx) {
        var parameters = new OAuthParameters(ctx.formParamMap());
        var grantType = parameters.get("grant_type");
        if (!GRANTS.contains(grantType)) {
            throw OAuthError.unsupportedGrantType();
        }
        var client = authenticated(ctx, parameters);
        AuthorizationRequest.requireOwn(parameters, issuer.of(ctx));
        var issued = grantType.equals("authorization_code")
                ? apps.redeem(
                        client,
                        parameters.get("code"),
                        parameters.find("redirect_uri"),
                        parameters.get("code_verifier"))
                : apps.refresh(
                        client,
                        parameters.get("refresh_token"),
                        parameters
                                .find("scope")
                                .map(scope -> AuthorizationRequest.granted(AuthorizationRequest.codes(scope))));
        var answer = new LinkedHashMap<String, Object>();
        answer.put("access_token", issued.accessToken());
        answer.put("token_type", "Bearer");
        answer.put("expires_in", Apps.ACCESS_LIFETIME.toSeconds());
        answer.put("refresh_token", issued.refreshToken());
        answer.put("scope", String.valueOf(issued.scopes().text()));
        ctx.header("Pragma", "no-cache").json(answer);
    }

    private void revoke(Context ctx) {
        var parameters = new OAuthParameters(ctx.formParamMap());
        var client = authenticated(ctx, parameters);
        apps.revoke(client, parameters.get("token"));
        ctx.status(200);
    }

    private OAuthClient authenticated(Context ctx, OAuthParameters parameters) {
        var basic = Optional.ofNullable(ctx.header("Authorization"))
                .filter(header -> header.regionMatches(true, 0, "Basic ", 0, 6))
                .map(header -> header.substring(6).strip());
        if (basic.isEmpty()) {
            return clients.authenticate(parameters.get("client_id"), parameters.find("client_secret"));
        }
        try {
            var pair = new String(Base64.getDecoder().decode(basic.get()), StandardCharsets.UTF_8).split(":", 2);
            var id = URLDecoder.decode(pair[0], StandardCharsets.UTF_8);
            if (pair.length == 2 && parameters.find("client_id").orElse(id).equals(id)) {
                return clients.authenticate(id, Optional.of(URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
            }
        } catch (IllegalArgumentException e) {
            throw OAuthError.invalidClient();
        }
        throw OAuthError.invalidClient();
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> apps.list(caller, before, limit))
                .map(ConnectedAppView::of));
    }

    private void disconnect(Context ctx) {
        apps.disconnect(Caller.of(ctx), AppId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private record ConnectedAppView(
            String id, String name, @Nullable Set<String> scopes, Instant connectedAt, Instant lastUsedAt) {

        static ConnectedAppView of(ConnectedApp app) {
            return new ConnectedAppView(
                    app.id().hex(), app.name(), app.scopes().codes(), app.connectedAt(), app.lastUsedAt());
        }
    }
}
