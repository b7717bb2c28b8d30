package io.hiroba.agents.remote;

import io.hiroba.agents.remote.OAuthHttp.Reply;
import io.hiroba.agents.remote.RemoteFailure.Kind;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds the authorization server of a server of tools: by the metadata that the server names where it refuses (RFC 9728), and by those of the
 * authorization server itself (RFC 8414, OpenID Connect Discovery).
 */
final class OAuthDiscovery {

    private static final String RESOURCE = "/.well-known/oauth-protected-resource";
    private static final String SERVER = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";
    private static final Pattern METADATA = Pattern.compile("(?i)\\bresource_metadata\\s*=\\s*\"([^\"]{1,2000})\"");
    private static final Pattern SCOPE = Pattern.compile("(?i)\\bscope\\s*=\\s*\"([^\"]{1,2000})\"");

    /** What RFC 6749 lets a scope consist of. */
    private static final Pattern SCOPES = Pattern.compile("[!#-\\[\\]-~]+(?: [!#-\\[\\]-~]+)*");

    private static final int MAX_SCOPE = 2_000;

    private final OAuthHttp http;

    OAuthDiscovery(OAuthHttp http) {
        this.http = http;
    }

    /**
     * The authorization server of a server of tools.
     *
     * @param resource what tokens are asked for
     * @param scope that the server asks for; empty for whatever is usual
     */
    record Discovered(String resource, String scope, AuthorizationServer server) {}

    /**
     * An authorization server.
     *
     * @param registrationEndpoint null where clients are not registered by themselves
     * @param methods by which clients may say who they are at the token endpoint
     * @param tellsIssuer whether each of its answers names it
     */
    record AuthorizationServer(
            String issuer,
            String authorizationEndpoint,
            String tokenEndpoint,
            @Nullable String registrationEndpoint,
            @Nullable String revocationEndpoint,
            List<String> methods,
            boolean tellsIssuer) {}

    Discovered discover(String url) throws RemoteFailure, InterruptedException {
        var refused = http.unauthorized(url);
        boolean asks = refused.status() == 401;
        if (!asks && !refused.isOk()) {
            throw RemoteFailure.ofStatus(refused.status());
        }
        var metadata = resourceMetadata(url, asks ? refused.challenge() : "");
        if (metadata.isEmpty()) {
            if (!asks) {
                throw new RemoteFailure(Kind.NO_AUTHORIZATION);
            }
            // Servers of the version of March 2025 are authorization servers themselves.
            return new Discovered(url, scope(refused, null), server(RemoteClient.origin(url)));
        }
        var resource = metadata.get().text("resource");
        if (!covers(resource, url)) {
            throw new RemoteFailure(Kind.OTHER_RESOURCE);
        }
        var issuer = metadata.get().body().path("authorization_servers").path(0).asString("");
        if (issuer.isEmpty()) {
            throw new RemoteFailure(Kind.AUTHORIZATION_SERVER);
        }
        return new Discovered(resource, scope(refused, metadata.get().body()), server(issuer));
    }

    /** Empty where the server says nothing of it. */
    private Optional<Reply> resourceMetadata(String url, String challenge) throws RemoteFailure, InterruptedException {
        var named = METADATA.matcher(challenge);
        if (named.find()) {
            var reply = http.get(named.group(1));
            if (!reply.isOk() || !reply.body().isObject()) {
                throw new RemoteFailure(Kind.AUTHORIZATION_SERVER);
            }
            return Optional.of(reply);
        }
        var path = path(url);
        return first(
                path.isEmpty()
                        ? List.of(RemoteClient.origin(url) + RESOURCE)
                        : List.of(RemoteClient.origin(url) + RESOURCE + path, RemoteClient.origin(url) + RESOURCE));
    }

    private Optional<Reply> first(List<String> urls) throws RemoteFailure, InterruptedException {
        for (var url : urls) {
            var reply = http.get(url);
            if (reply.isOk() && reply.body().isObject()) {
                return Optional.of(reply);
            }
            if (reply.status() >= 500) {
                throw new RemoteFailure(Kind.SERVER_ERROR);
            }
        }
        return Optional.empty();
    }

    private AuthorizationServer server(String issuer) throws RemoteFailure, InterruptedException {
        var origin = RemoteClient.origin(http.usable(issuer));
        var path = path(issuer);
        var urls = new ArrayList<>(List.of(origin + SERVER + path, origin + OPENID + path));
        if (!path.isEmpty()) {
            urls.add(origin + path + OPENID);
        }
        var metadata = first(urls).orElseThrow(() -> new RemoteFailure(Kind.AUTHORIZATION_SERVER));
        // Otherwise one server could have tokens of another one sent to it (RFC 8414, 3.3).
        if (!withoutSlash(metadata.text("issuer")).equals(withoutSlash(issuer))) {
            throw new RemoteFailure(Kind.OTHER_ISSUER);
        }
        var body = metadata.body();
        if (!texts(body.path("code_challenge_methods_supported")).contains("S256")) {
            throw new RemoteFailure(Kind.NO_PKCE);
        }
        var methods = texts(body.path("token_endpoint_auth_methods_supported"));
        return new AuthorizationServer(
                metadata.text("issuer"),
                http.usable(metadata.text("authorization_endpoint")),
                http.usable(metadata.text("token_endpoint")),
                optional(metadata.text("registration_endpoint")),
                optional(metadata.text("revocation_endpoint")),
                methods.isEmpty() ? List.of(ClientRegistration.BASIC) : methods,
                body.path("authorization_response_iss_parameter_supported").asBoolean(false));
    }

    private @Nullable String optional(String url) throws RemoteFailure {
        return url.isEmpty() ? null : http.usable(url);
    }

    /** What the refusal asks for, or else all that there is. */
    private static String scope(Reply refused, @Nullable JsonNode metadata) {
        var asked = SCOPE.matcher(refused.challenge());
        var scope = asked.find()
                ? asked.group(1)
                : metadata == null ? "" : String.join(" ", texts(metadata.path("scopes_supported")));
        return usableScope(scope);
    }

    /** A scope as it may be shown and kept; empty if it is none. */
    static String usableScope(String scope) {
        return scope.length() <= MAX_SCOPE && SCOPES.matcher(scope).matches() ? scope : "";
    }

    /** Whether a resource is that of an address, or holds it: the same origin, and a beginning of its path. */
    static boolean covers(String resource, String url) {
        try {
            var uri = new URI(resource);
            if (uri.getScheme() == null
                    || uri.getHost() == null
                    || uri.getFragment() != null
                    || !RemoteClient.origin(resource).equals(RemoteClient.origin(url))) {
                return false;
            }
        } catch (URISyntaxException e) {
            return false;
        }
        return (path(url) + "/").startsWith(path(resource) + "/");
    }

    /** The path without a slash at its end. */
    private static String path(String url) {
        var path = URI.create(url).getRawPath();
        return path == null ? "" : withoutSlash(path);
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream()
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .collect(Collectors.toList());
    }
}
