package io.hiroba.accounts;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.hiroba.accounts.OidcStore.Attempt;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Talks to an OpenID Connect provider: where to send people, and who they are when they come back. Its metadata is discovered
 * once an hour; its keys are cached and fetched anew when a token names one that is not known.
 */
final class OidcProvider {

    private static final Logger LOG = LoggerFactory.getLogger(OidcProvider.class);
    private static final int TIMEOUT_MS = 5_000;
    private static final int MAX_DOCUMENT = 256 * 1024;
    private static final Duration METADATA_LIFETIME = Duration.ofHours(1);

    /** Signatures that only the provider can make; with a shared secret anybody who has it could. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final String id;
    private final OidcConfig config;
    private final InstantSource clock;
    private volatile @Nullable Discovered discovered;

    OidcProvider(String id, OidcConfig config, InstantSource clock) {
        this.id = id;
        this.config = config;
        this.clock = clock;
    }

    String id() {
        return id;
    }

    String name() {
        return config.name().isEmpty() ? id : config.name();
    }

    OidcConfig config() {
        return config;
    }

    /** The address at the provider to which a browser is sent. */
    String authorization(Attempt attempt, URI callback) {
        return new AuthenticationRequest.Builder(
                        ResponseType.CODE,
                        new Scope(config.scopes().toArray(String[]::new)),
                        new ClientID(config.clientId()),
                        callback)
                .endpointURI(discovered().metadata().getAuthorizationEndpointURI())
                .state(new State(attempt.state()))
                .nonce(new Nonce(attempt.nonce()))
                .codeChallenge(new CodeVerifier(attempt.verifier()), CodeChallengeMethod.S256)
                .build()
                .toURI()
                .toString();
    }

    /**
     * The person whom the provider has sent back.
     *
     * @param parameters of the request with which the browser came back
     * @param callback the address that it came to, as it was sent to the provider
     */
    OidcIdentity identity(Map<String, List<String>> parameters, Attempt attempt, URI callback) {
        var found = discovered();
        try {
            var tokens = tokens(found.metadata(), code(found, parameters, callback), attempt, callback);
            var claims = found.validator().validate(tokens.getIDToken(), new Nonce(attempt.nonce()));
            Map<String, Object> all = new HashMap<>(claims.toJSONObject());
            if (lacksClaims(all)) {
                userInfo(found.metadata(), tokens, all);
            }
            return OidcClaims.identity(this, claims.getIssuer().getValue(), all);
        } catch (IOException | RemoteKeySourceException e) {
            throw unavailable(e);
        } catch (ParseException | BadJOSEException | JOSEException | IllegalArgumentException e) {
            throw failed(e.getMessage());
        }
    }

    private AuthorizationCode code(Discovered found, Map<String, List<String>> parameters, URI callback)
            throws ParseException {
        var response = AuthenticationResponseParser.parse(callback, parameters);
        var issuer = response.getIssuer();
        // RFC 9207: the answer of one provider must not be taken for that of another.
        if (issuer == null
                ? found.metadata().supportsAuthorizationResponseIssuerParam()
                : !issuer.equals(found.metadata().getIssuer())) {
            throw failed("the answer is of another issuer");
        }
        if (!response.indicatesSuccess()) {
            throw failed(String.valueOf(response.toErrorResponse().getErrorObject()));
        }
        var code = response.toSuccessResponse().getAuthorizationCode();
        if (code == null) {
            throw failed("the answer has no code");
        }
        return code;
    }

    private OIDCTokens tokens(OIDCProviderMetadata metadata, AuthorizationCode code, Attempt attempt, URI callback)
            throws IOException, ParseException {
        var grant = new AuthorizationCodeGrant(code, callback, new CodeVerifier(attempt.verifier()));
        var client = new ClientID(config.clientId());
        var endpoint = metadata.getTokenEndpointURI();
        TokenRequest request;
        if (config.clientSecret().isEmpty()) {
            request = new TokenRequest.Builder(endpoint, client, grant).build();
        } else {
            var secret = new Secret(config.clientSecret().value());
            var methods = metadata.getTokenEndpointAuthMethods();
            boolean basic = methods == null || methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
            request = new TokenRequest.Builder(
                            endpoint,
                            basic ? new ClientSecretBasic(client, secret) : new ClientSecretPost(client, secret),
                            grant)
                    .build();
        }
        var answer = OIDCTokenResponseParser.parse(send(request.toHTTPRequest()));
        if (!answer.indicatesSuccess()) {
            throw failed(String.valueOf(answer.toErrorResponse().getErrorObject()));
        }
        var tokens = ((OIDCTokenResponse) answer).getOIDCTokens();
        if (tokens.getIDToken() == null) {
            throw failed("the answer has no ID token");
        }
        return tokens;
    }

    private boolean lacksClaims(Map<String, Object> claims) {
        return !claims.containsKey("email")
                || !claims.containsKey("email_verified")
                || (!config.adminGroups().isEmpty() && OidcClaims.find(claims, config.groupsClaim()) == null);
    }

    /** Adds what the ID token does not say; the two must be about the same person. */
    private void userInfo(OIDCProviderMetadata metadata, OIDCTokens tokens, Map<String, Object> claims)
            throws IOException, ParseException {
        var endpoint = metadata.getUserInfoEndpointURI();
        if (endpoint == null) {
            return;
        }
        var answer =
                UserInfoResponse.parse(send(new UserInfoRequest(endpoint, tokens.getAccessToken()).toHTTPRequest()));
        if (!answer.indicatesSuccess() || answer.toSuccessResponse().getUserInfo() == null) {
            throw failed("the user info is refused or signed");
        }
        var info = answer.toSuccessResponse().getUserInfo().toJSONObject();
        if (!Objects.equals(info.get("sub"), claims.get("sub"))) {
            throw failed("the user info is of another subject");
        }
        // The signed ID token goes first.
        info.forEach(claims::putIfAbsent);
    }

    private static HTTPResponse send(HTTPRequest request) throws IOException {
        request.setConnectTimeout(TIMEOUT_MS);
        request.setReadTimeout(TIMEOUT_MS);
        request.setFollowRedirects(false);
        return request.send();
    }

    private Discovered discovered() {
        var known = discovered;
        var now = clock.instant();
        if (known != null && now.isBefore(known.at().plus(METADATA_LIFETIME))) {
            return known;
        }
        try {
            var fresh = discover(now);
            discovered = fresh;
            return fresh;
        } catch (IOException | GeneralException e) {
            if (known != null) {
                LOG.warn("the metadata of {} cannot be discovered again, the last are used: {}", id, e.toString());
                return known;
            }
            throw unavailable(e);
        }
    }

    private Discovered discover(Instant now) throws IOException, GeneralException {
        var retriever = new DefaultResourceRetriever(TIMEOUT_MS, TIMEOUT_MS, MAX_DOCUMENT);
        var issuer = new Issuer(config.issuer());
        var document = retriever.retrieveResource(OIDCProviderMetadata.resolveURL(issuer));
        var metadata = OIDCProviderMetadata.parse(document.getContent());
        if (!metadata.getIssuer().equals(issuer)) {
            throw new ParseException("the metadata are of the issuer " + metadata.getIssuer());
        }
        for (var endpoint : new @Nullable URI[] {
            metadata.getAuthorizationEndpointURI(), metadata.getTokenEndpointURI(), metadata.getJWKSetURI()
        }) {
            if (endpoint == null || !isReachable(endpoint)) {
                throw new ParseException("an endpoint is missing or not reached through TLS");
            }
        }
        JWKSource<SecurityContext> keys = JWKSourceBuilder.<SecurityContext>create(
                        metadata.getJWKSetURI().toURL(), retriever)
                .refreshAheadCache(false)
                .retrying(true)
                .outageTolerant(METADATA_LIFETIME.toMillis())
                .build();
        var named = metadata.getIDTokenJWSAlgs();
        var algorithms = named == null
                ? Set.of(JWSAlgorithm.RS256)
                : named.stream().filter(ALGORITHMS::contains).collect(Collectors.toSet());
        if (algorithms.isEmpty()) {
            throw new ParseException("ID tokens are signed in no way that is accepted");
        }
        var validator = new IDTokenValidator(
                metadata.getIssuer(),
                new ClientID(config.clientId()),
                new JWSVerificationKeySelector<>(algorithms, keys),
                null);
        return new Discovered(metadata, validator, now);
    }

    private static boolean isReachable(URI endpoint) {
        var text = endpoint.toString();
        int query = text.indexOf('?');
        return OidcConfig.isReachable(query < 0 ? text : text.substring(0, query));
    }

    private AccountsProblem unavailable(Exception e) {
        LOG.warn("the OpenID Connect provider {} does not answer as it should: {}", id, e.toString());
        return AccountsProblem.oidcUnavailable(name());
    }

    private AccountsProblem failed(@Nullable String reason) {
        LOG.info("a sign-in with {} is refused: {}", id, reason);
        return AccountsProblem.oidcFailed(name());
    }

    /** The metadata of a provider, with what they are used for. */
    private record Discovered(OIDCProviderMetadata metadata, IDTokenValidator validator, Instant at) {}
}
