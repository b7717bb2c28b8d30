package io.hiroba.testkit;

import com.sun.net.httpserver.HttpExchange;
import io.hiroba.testkit.TestHttpService.Asked;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * An authorization server in the test's process. It holds clients to OAuth 2.1: PKCE, the resource, the redirect address and their secret; each
 * refresh token is good once, and a second use ends the whole grant.
 */
public final class FakeAuthorizationServer implements AutoCloseable {

    private static final String CLIENT = "client-7";
    private static final String SECRET = "s3cret/+";

    private final TestHttpService service = TestHttpService.start(this::answer);
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final FakeToolServer tools;

    /** What its metadata say, to be changed by a test. */
    public final Map<String, Object> metadata = new ConcurrentHashMap<>();

    /** The refresh tokens that are good. */
    public final List<String> refreshTokens = new CopyOnWriteArrayList<>();

    /** What was revoked. */
    public final List<String> revoked = new CopyOnWriteArrayList<>();

    /** How long its access tokens are good, in seconds. */
    public volatile int lifetime = 3600;

    /** The status of the answers of its token endpoint; 200 for whatever is right. */
    public volatile int tokenStatus = 200;

    /** How long a refresh takes, in milliseconds. */
    public volatile int delay;

    /** How often a refresh token was used. */
    public final AtomicInteger refreshes = new AtomicInteger();

    /** @param tools which takes its tokens */
    public FakeAuthorizationServer(FakeToolServer tools) {
        this.tools = tools;
        metadata.putAll(Map.of(
                "issuer",
                url(),
                "authorization_endpoint",
                url() + "/authorize?tenant=1",
                "token_endpoint",
                url() + "/token",
                "registration_endpoint",
                url() + "/register",
                "revocation_endpoint",
                url() + "/revoke",
                "code_challenge_methods_supported",
                List.of("S256"),
                "token_endpoint_auth_methods_supported",
                List.of("client_secret_basic"),
                "authorization_response_iss_parameter_supported",
                true));
    }

    public String url() {
        return service.url();
    }

    public List<Asked> asked() {
        return service.asked();
    }

    /** What a browser comes back with after a person agreed to what this location asks. */
    public Map<String, List<String>> approve(String location) {
        var asked = parameters(URI.create(location).getRawQuery());
        var code = "code-" + count.incrementAndGet();
        codes.put(code, asked);
        return Map.of(
                "code",
                List.of(code),
                "state",
                List.of(String.valueOf(asked.get("state"))),
                "iss",
                List.of(String.valueOf(metadata.get("issuer"))));
    }

    /** The parameters of a form or a query. */
    public static Map<String, String> parameters(String form) {
        return Arrays.stream(form.split("&"))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(
                        each -> each[0],
                        each -> URLDecoder.decode(each[1], StandardCharsets.UTF_8),
                        (first, second) -> {
                            throw new IllegalArgumentException("a parameter is given twice");
                        },
                        LinkedHashMap::new));
    }

    private void answer(Asked asked, HttpExchange exchange) throws IOException, InterruptedException {
        switch (asked.path()) {
            case "/.well-known/oauth-authorization-server" -> json(exchange, 200, metadata);
            case "/register" -> register(asked, exchange);
            case "/token" -> token(parameters(asked.body()), asked.header("Authorization"), exchange);
            case "/revoke" -> {
                revoked.add(parameters(asked.body()).get("token"));
                json(exchange, 200, Map.of());
            }
            default -> json(exchange, 404, Map.of());
        }
    }

    private static void json(HttpExchange exchange, int status, Map<String, ?> body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        TestHttpService.reply(exchange, status, JsonMapper.shared().writeValueAsString(body));
    }

    private static void register(Asked asked, HttpExchange exchange) throws IOException {
        var client = JsonMapper.shared().readTree(asked.body());
        var fits = client.path("redirect_uris").size() == 1
                && client.path("grant_types").toString().contains("refresh_token")
                && client.path("token_endpoint_auth_method").asString("").equals("client_secret_basic");
        json(
                exchange,
                fits ? 201 : 400,
                fits
                        ? Map.of(
                                "client_id", CLIENT,
                                "client_secret", SECRET,
                                "token_endpoint_auth_method", "client_secret_basic")
                        : Map.of("error", "invalid_client_metadata"));
    }

    private void token(Map<String, String> form, String authorization, HttpExchange exchange)
            throws IOException, InterruptedException {
        if (tokenStatus != 200) {
            json(exchange, tokenStatus, Map.of("error", "temporarily_unavailable"));
            return;
        }
        var basic = "Basic "
                + Base64.getEncoder().encodeToString((CLIENT + ":s3cret%2F%2B").getBytes(StandardCharsets.UTF_8));
        if (!authorization.equals(basic)) {
            json(exchange, 401, Map.of("error", "invalid_client"));
            return;
        }
        boolean good = tools.url().equals(form.get("resource"))
                && (form.get("grant_type").equals("refresh_token") ? refresh(form) : redeem(form));
        if (!good) {
            json(exchange, 400, Map.of("error", "invalid_grant"));
            return;
        }
        int number = count.incrementAndGet();
        tools.tokens.clear();
        tools.tokens.add("access-" + number);
        refreshTokens.add("refresh-" + number);
        json(
                exchange,
                200,
                Map.of(
                        "access_token",
                        "access-" + number,
                        "refresh_token",
                        "refresh-" + number,
                        "token_type",
                        "bearer",
                        "expires_in",
                        lifetime));
    }

    private boolean redeem(Map<String, String> form) {
        var asked = codes.remove(form.getOrDefault("code", ""));
        return asked != null
                && asked.get("code_challenge_method").equals("S256")
                && asked.get("code_challenge").equals(challenge(form.get("code_verifier")))
                && asked.get("redirect_uri").equals(form.get("redirect_uri"))
                && asked.get("client_id").equals(CLIENT)
                && asked.get("resource").equals(form.get("resource"));
    }

    private boolean refresh(Map<String, String> form) throws InterruptedException {
        refreshes.incrementAndGet();
        Thread.sleep(delay);
        if (refreshTokens.remove(form.get("refresh_token"))) {
            return true;
        }
        refreshTokens.clear();
        return false;
    }

    private static String challenge(String verifier) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        service.close();
    }
}
