package io.hiroba.agents.remote;

import io.hiroba.agents.remote.OAuthDiscovery.AuthorizationServer;
import io.hiroba.agents.remote.OAuthHttp.Reply;
import io.hiroba.agents.remote.RemoteFailure.Kind;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The requests of a client of OAuth 2.1: it registers (RFC 7591), redeems codes, refreshes tokens and revokes them (RFC 7009). */
final class OAuthEndpoints {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final int MAX_TOKEN = 4_000;
    private static final Pattern TOKEN = Pattern.compile("[!-~]{1," + MAX_TOKEN + "}");
    private static final Pattern CODE = Pattern.compile("[a-zA-Z0-9_.-]{1,60}");

    private final OAuthHttp http;

    OAuthEndpoints(OAuthHttp http) {
        this.http = http;
    }

    /**
     * Tokens as they were issued.
     *
     * @param refresh empty if there is none, or the one before is still good
     * @param lifetime null if nothing is said of it
     * @param scope empty if it is what was asked for
     */
    record Issued(String access, String refresh, @Nullable Duration lifetime, String scope) {

        @Override
        public String toString() {
            return "Issued[…]";
        }
    }

    ClientRegistration register(AuthorizationServer server, String redirectUri)
            throws RemoteFailure, InterruptedException {
        var endpoint = server.registrationEndpoint();
        if (endpoint == null) {
            throw new RemoteFailure(Kind.NO_REGISTRATION);
        }
        var metadata = Map.of(
                "client_name",
                "Hiroba (" + URI.create(redirectUri).getAuthority() + ")",
                "redirect_uris",
                List.of(redirectUri),
                "grant_types",
                List.of("authorization_code", "refresh_token"),
                "response_types",
                List.of("code"),
                "token_endpoint_auth_method",
                method(server, true));
        var reply = http.post(endpoint, "application/json", RemoteDefinition.JSON.writeValueAsString(metadata), null);
        var id = reply.text("client_id");
        var secret = reply.text("client_secret");
        if (!reply.isOk() || !isToken(id) || (!secret.isEmpty() && !isToken(secret))) {
            throw refused(reply, Kind.NO_REGISTRATION);
        }
        var method = reply.text("token_endpoint_auth_method");
        return new ClientRegistration(
                id,
                secret.isEmpty() ? ClientRegistration.NONE : method.isEmpty() ? method(server, true) : method,
                secret);
    }

    /** The client that an admin had registered there. */
    static ClientRegistration known(AuthorizationServer server, String id, String secret) {
        return new ClientRegistration(id, method(server, !secret.isEmpty()), secret);
    }

    private static String method(AuthorizationServer server, boolean hasSecret) {
        return hasSecret
                ? List.of(ClientRegistration.BASIC, ClientRegistration.POST).stream()
                        .filter(server.methods()::contains)
                        .findFirst()
                        .orElse(ClientRegistration.NONE)
                : ClientRegistration.NONE;
    }

    Issued redeem(OAuthGrant grant, String code, String verifier, String redirectUri)
            throws RemoteFailure, InterruptedException {
        return issued(
                grant,
                Map.of(
                        "grant_type", "authorization_code",
                        "code", code,
                        "code_verifier", verifier,
                        "redirect_uri", redirectUri));
    }

    Issued refresh(OAuthGrant grant) throws RemoteFailure, InterruptedException {
        return issued(grant, Map.of("grant_type", "refresh_token", "refresh_token", grant.refreshToken()));
    }

    private Issued issued(OAuthGrant grant, Map<String, String> parameters) throws RemoteFailure, InterruptedException {
        var all = new LinkedHashMap<>(parameters);
        all.put("resource", grant.resource());
        var reply = send(grant.tokenEndpoint(), grant.client(), all);
        var access = reply.text("access_token");
        var refresh = reply.text("refresh_token");
        if (!reply.isOk()
                || !isToken(access)
                || (!refresh.isEmpty() && !isToken(refresh))
                || !reply.text("token_type").equalsIgnoreCase("bearer")) {
            throw refused(reply, Kind.TOKEN_REFUSED);
        }
        long seconds = reply.body().path("expires_in").asLong(0);
        return new Issued(access, refresh, seconds <= 0 ? null : Duration.ofSeconds(seconds), reply.text("scope"));
    }

    void revoke(OAuthGrant grant) throws RemoteFailure, InterruptedException {
        var endpoint = grant.revocationEndpoint();
        if (endpoint != null) {
            var token = grant.refreshToken().isEmpty() ? grant.accessToken() : grant.refreshToken();
            send(endpoint, grant.client(), Map.of("token", token));
        }
    }

    private Reply send(String url, ClientRegistration client, Map<String, String> parameters)
            throws RemoteFailure, InterruptedException {
        var all = new LinkedHashMap<>(parameters);
        var basic = client.method().equals(ClientRegistration.BASIC);
        if (!basic) {
            all.put("client_id", client.id());
            if (client.method().equals(ClientRegistration.POST)) {
                all.put("client_secret", client.secret());
            }
        }
        return http.post(url, FORM, form(all), basic ? basic(client) : null);
    }

    private static String basic(ClientRegistration client) {
        var pair = encoded(client.id()) + ":" + encoded(client.secret());
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** Parameters as a form or a query has them. */
    static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    /** A refusal is for good; a server that fails may be asked again. */
    private static RemoteFailure refused(Reply reply, Kind kind) {
        return reply.status() >= 500 || reply.status() == 429
                ? new RemoteFailure(Kind.SERVER_ERROR)
                : new RemoteFailure(kind, code(reply.text("error")), null);
    }

    /** The code of an error, unless it is none. */
    static String code(String text) {
        return Optional.of(text).filter(code -> CODE.matcher(code).matches()).orElse("");
    }
}
