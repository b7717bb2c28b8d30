package io.hiroba.accounts;

import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.platform.id.Sha256;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An app's request to act in somebody's name, after its client and redirect URI were verified.
 *
 * @param scopes those that it asks for; what the person allows may be less
 * @param challenge of PKCE, S256
 */
record AuthorizationRequest(OAuthClient client, RedirectUri redirectUri, Granted scopes, String challenge) {

    private static final String OFFLINE = "offline_access";

    /** @throws OAuthError for the app, if the request is not acceptable */
    static AuthorizationRequest of(
            OAuthClient client, RedirectUri redirectUri, OAuthParameters parameters, String issuer) {
        if (!parameters.get("response_type").equals("code")) {
            throw OAuthError.unsupportedResponseType();
        }
        var challenge = parameters.get("code_challenge");
        if (!parameters.find("code_challenge_method").equals(Optional.of("S256"))
                || !challenge.matches("[A-Za-z0-9_-]{43}")) {
            throw OAuthError.invalidRequest(
                    "code_challenge_method must be S256, with a code_challenge of 43 characters.");
        }
        requireOwn(parameters, issuer);
        return new AuthorizationRequest(client, redirectUri, scopes(parameters.find("scope")), challenge);
    }

    /** The resource that the tokens are for (RFC 8707) is this server, whose tokens open nothing else. */
    static void requireOwn(OAuthParameters parameters, String issuer) {
        for (var resource : parameters.values().getOrDefault("resource", List.of())) {
            if (!resource.isEmpty() && !resource.equals(issuer) && !resource.startsWith(issuer + "/")) {
                throw OAuthError.invalidTarget();
            }
        }
    }

    /** The scopes that read if the app does not say. A refresh token is given anyway, whether it is asked for or not. */
    private static Granted scopes(Optional<String> asked) {
        var codes = codes(asked.orElse(""));
        return codes.isEmpty() ? TokenScope.reading() : granted(codes);
    }

    static List<String> codes(String scope) {
        return Arrays.stream(scope.split(" ", -1))
                .filter(code -> !code.isEmpty() && !code.equals(OFFLINE))
                .toList();
    }

    static Granted granted(List<String> codes) {
        try {
            return Granted.of(codes);
        } catch (AccountsProblem refusal) {
            throw OAuthError.invalidScope("A scope is unknown, or there are too many.");
        }
    }

    static boolean matches(String challenge, String verifier) {
        return verifier.matches("[A-Za-z0-9._~-]{43,128}")
                && challenge.equals(Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(verifier)));
    }

    /** The address of the app with an answer to it, which names its issuer (RFC 9207). */
    static String answer(
            RedirectUri redirectUri, @Nullable String state, String issuer, Map<String, String> parameters) {
        var all = new LinkedHashMap<>(parameters);
        if (state != null) {
            all.put("state", state);
        }
        all.put("iss", issuer);
        return redirectUri.with(all);
    }
}
