package io.hiroba.accounts;

import static io.hiroba.accounts.OAuthMessages.CALLBACK;
import static io.hiroba.accounts.OAuthMessages.CHALLENGE;
import static io.hiroba.accounts.OAuthMessages.allow;
import static io.hiroba.accounts.OAuthMessages.browser;
import static io.hiroba.accounts.OAuthMessages.encoded;
import static io.hiroba.accounts.OAuthMessages.error;
import static io.hiroba.accounts.OAuthMessages.form;
import static io.hiroba.accounts.OAuthMessages.offered;
import static io.hiroba.accounts.OAuthMessages.register;
import static io.hiroba.accounts.OAuthMessages.request;
import static io.hiroba.accounts.OAuthMessages.sent;
import static io.hiroba.accounts.OAuthMessages.with;
import static io.hiroba.accounts.OAuthMessages.without;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class OAuthTest {

    private static final Square square = new Square("--accounts.limits.sign-ups-per-hour=60");
    private static final ApiClient anonymous = square.anonymous();
    private static final String app = register(anonymous, CALLBACK, "none").text("client_id");

    @AfterAll
    static void close() {
        square.close();
    }

    private static String code(Person person, String scope) {
        return code(person, app, scope);
    }

    private static String code(Person person, String app, String scope) {
        return Objects.requireNonNull(
                sent(allow(browser(anonymous, person), request(app, scope))).get("code"));
    }

    private static Map<String, String> exchange(String code) {
        return OAuthMessages.exchange(app, code);
    }

    private static Reply token(Map<String, String> parameters) {
        return form(anonymous, "/oauth/token", parameters);
    }

    private static Reply renewed(String refreshToken) {
        return token(Map.of("grant_type", "refresh_token", "client_id", app, "refresh_token", refreshToken));
    }

    private static int me(String accessToken) {
        return anonymous.token(accessToken).get("/api/v1/me").status();
    }

    @Test
    void anAppIsLetInActsWithinItsScopesAndIsDisconnected() {
        var ann = square.person("ann");
        var browser = browser(anonymous, ann);
        var request = request(app, "account:read posts:read");
        var page = browser.get("/oauth/authorize?" + encoded(request));
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Security-Policy"))
                .contains("frame-ancestors 'none'", "form-action 'self' https://notes.example");
        var shown = Jsoup.parse(page.body());
        assertThat(shown.select("main").text())
                .contains("Let Notes act as you?", ann.email(), "notes.example", "Read posts and your home feed");
        assertThat(shown.select("input[name=granted][checked]").eachAttr("value"))
                .containsExactly("account:read", "posts:read");

        var answer = sent(allow(browser, request));
        assertThat(answer).containsEntry("state", "s t&te").containsEntry("iss", square.server.url());
        var tokens = token(exchange(Objects.requireNonNull(answer.get("code"))));
        assertThat(tokens.status()).as(tokens.body()).isEqualTo(200);
        assertThat(tokens.header("Cache-Control")).contains("no-store");
        assertThat(tokens.text("scope")).isEqualTo("account:read posts:read");
        assertThat(tokens.json().path("expires_in").asInt()).isEqualTo(3600);
        var program = anonymous.token(tokens.text("access_token"));
        assertThat(program.get("/api/v1/me").text("id")).isEqualTo(ann.id());
        assertThat(program.post("/api/v1/posts", "{'content':'x'}").outcome()).isEqualTo("403 accounts.scope-required");
        assertThat(program.get("/settings/profile").status()).as("no page").isEqualTo(401);
        assertThat(ann.api().get("/api/v1/tokens").json().path("items").size())
                .as("the tokens of apps are not among those of people")
                .isEqualTo(1);

        var listed = ann.api().get("/api/v1/apps").json().path("items");
        assertThat(listed.size()).isEqualTo(1);
        assertThat(listed.get(0).path("name").asString()).isEqualTo("Notes");
        assertThat(listed.get(0).path("scopes").toString()).isEqualTo("[\"account:read\",\"posts:read\"]");
        var id = listed.get(0).path("id").asString();
        assertThat(square.person("bob").api().delete("/api/v1/apps/" + id).outcome())
                .isEqualTo("404 accounts.app-not-found");
        assertThat(ann.api().delete("/api/v1/apps/" + id).outcome()).isEqualTo("204");
        assertThat(me(tokens.text("access_token"))).isEqualTo(401);
        assertThat(error(renewed(tokens.text("refresh_token")))).isEqualTo("400 invalid_grant");
        assertThat(ann.api().get("/api/v1/apps").json().path("items")).isEmpty();
        assertThat(square.admin.api().get("/api/v1/audit").body()).contains("app-connected", "app-disconnected");
    }

    @Test
    void aCodeThatIsUsedAgainEndsWhatItGave() {
        var code = code(square.person("ann"), "account:read");
        var tokens = token(exchange(code));
        assertThat(me(tokens.text("access_token"))).isEqualTo(200);
        assertThat(error(token(with(exchange(code), "code_verifier", "w".repeat(43)))))
                .isEqualTo("400 invalid_grant");
        assertThat(me(tokens.text("access_token")))
                .as("who cannot prove to be the app ends nothing")
                .isEqualTo(200);
        assertThat(error(token(exchange(code)))).isEqualTo("400 invalid_grant");
        assertThat(me(tokens.text("access_token"))).isEqualTo(401);
        assertThat(error(renewed(tokens.text("refresh_token")))).isEqualTo("400 invalid_grant");
    }

    @Test
    void aCodeIsGoodForItsAppItsAddressAndWhoeverAskedForIt() {
        var code = code(square.person("ann"), "account:read");
        var other = register(anonymous, CALLBACK, "none").text("client_id");
        for (var wrong : List.of(
                with(exchange(code), "code_verifier", "w".repeat(43)),
                with(exchange(code), "code_verifier", CHALLENGE),
                with(exchange(code), "redirect_uri", CALLBACK + "/"),
                with(exchange(code), "client_id", other),
                with(exchange(code), "code", code + "x"))) {
            assertThat(error(token(wrong))).as(wrong.toString()).isEqualTo("400 invalid_grant");
        }
        assertThat(error(token(without(exchange(code), "code_verifier")))).isEqualTo("400 invalid_request");
        assertThat(error(token(with(exchange(code), "resource", "https://other.example"))))
                .isEqualTo("400 invalid_target");
        assertThat(error(token(with(exchange(code), "grant_type", "password"))))
                .isEqualTo("400 unsupported_grant_type");
        assertThat(token(with(exchange(code), "resource", square.server.url() + "/mcp"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void ofManyExchangesAtOnceOneWins() throws Exception {
        var code = code(square.person("ann"), "account:read");
        assertThat(outcomes(() -> token(exchange(code)).status())).isEqualTo(Map.of(200, 1, 400, 7));
        var tokens = token(exchange(code(square.person("bob"), "account:read")));
        assertThat(outcomes(() -> renewed(tokens.text("refresh_token")).status()))
                .isEqualTo(Map.of(200, 1, 400, 7));
    }

    /** How often eight attempts at once end in which way. */
    private static Map<Integer, Integer> outcomes(Callable<Integer> attempt) throws Exception {
        var outcomes = new TreeMap<Integer, Integer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(Collections.nCopies(8, attempt))) {
                outcomes.merge(each.get(), 1, Integer::sum);
            }
        }
        return outcomes;
    }

    @Test
    void aRefreshTokenRotatesAndOneThatIsUsedAgainEndsThemAll() {
        var first = token(exchange(code(square.person("ann"), "account:read posts:read")));
        var second = renewed(first.text("refresh_token"));
        assertThat(second.status()).as(second.body()).isEqualTo(200);
        assertThat(second.text("refresh_token")).isNotEqualTo(first.text("refresh_token"));
        assertThat(me(second.text("access_token"))).isEqualTo(200);

        var other = register(anonymous, CALLBACK, "none").text("client_id");
        var byOther = Map.of(
                "grant_type", "refresh_token", "client_id", other, "refresh_token", second.text("refresh_token"));
        assertThat(error(token(byOther))).isEqualTo("400 invalid_grant");
        assertThat(me(second.text("access_token"))).isEqualTo(200);

        assertThat(error(renewed(first.text("refresh_token")))).isEqualTo("400 invalid_grant");
        assertThat(me(first.text("access_token"))).isEqualTo(401);
        assertThat(me(second.text("access_token"))).isEqualTo(401);
        assertThat(error(renewed(second.text("refresh_token")))).isEqualTo("400 invalid_grant");
        assertThat(square.admin.api().get("/api/v1/audit").body()).contains("app-token-reused");
    }

    @Test
    void noAppGetsMoreScopesThanItWasAllowed() {
        var ann = square.person("ann");
        var tokens = token(exchange(code(ann, "account:read posts:read")));
        var renewal =
                Map.of("grant_type", "refresh_token", "client_id", app, "refresh_token", tokens.text("refresh_token"));
        assertThat(error(token(with(renewal, "scope", "account:read posts:write"))))
                .isEqualTo("400 invalid_scope");
        var narrowed = token(with(renewal, "scope", "posts:read"));
        assertThat(narrowed.text("scope")).isEqualTo("posts:read");
        assertThat(me(narrowed.text("access_token"))).isEqualTo(403);
        assertThat(me(renewed(narrowed.text("refresh_token")).text("access_token")))
                .isEqualTo(200);

        var more = encoded(with(request(app, "posts:read"), "decision", "allow")) + "&granted=posts%3Awrite";
        assertThat(sent(browser(anonymous, ann)
                        .sendAs("application/x-www-form-urlencoded", "POST", "/oauth/authorize", more)))
                .containsEntry("error", "invalid_scope");
        assertThat(offered(browser(anonymous, ann).get("/oauth/authorize?" + encoded(request(app, "posts:rite")))))
                .containsEntry("error", "invalid_scope");
        var admin = browser(anonymous, square.admin)
                .get("/oauth/authorize?" + encoded(request(app, "posts:read admin:write")));
        assertThat(Jsoup.parse(admin.body())
                        .select("input[name=granted][checked]")
                        .eachAttr("value"))
                .as("the rights of an admin have to be meant")
                .containsExactly("posts:read");
        var asked = browser(anonymous, ann).get("/oauth/authorize?" + encoded(request(app, "posts:read admin:write")));
        assertThat(asked.body()).doesNotContain("value=\"admin:write\"");
        assertThat(offered(browser(anonymous, ann).get("/oauth/authorize?" + encoded(request(app, "admin:write")))))
                .containsEntry("error", "invalid_scope");
        var unsaid = browser(anonymous, ann).get("/oauth/authorize?" + encoded(without(request(app, ""), "scope")));
        assertThat(unsaid.body()).contains("value=\"posts:read\"").doesNotContain("value=\"posts:write\"");
    }

    @Test
    void nobodyIsSentToAnAddressThatTheAppDidNotRegister() {
        var browser = browser(anonymous, square.person("ann"));
        for (var wrong : List.of(
                with(request(app, "posts:read"), "redirect_uri", "https://evil.example/callback"),
                with(request(app, "posts:read"), "redirect_uri", CALLBACK + "?x=1"),
                with(request(app, "posts:read"), "client_id", "198C2E846EE00000"),
                with(request(app, "posts:read"), "client_id", "x"),
                without(request(app, "posts:read"), "client_id"))) {
            var page = browser.get("/oauth/authorize?" + encoded(wrong));
            assertThat(page.status()).as(wrong.toString()).isEqualTo(400);
            assertThat(page.header("Location")).isEmpty();
            assertThat(form(browser, "/oauth/authorize", with(wrong, "decision", "deny"))
                            .status())
                    .isEqualTo(400);
        }
        assertThat(browser.get("/oauth/authorize?" + encoded(request(app, "posts:read")) + "&redirect_uri=x")
                        .status())
                .isEqualTo(400);
        for (var wrong : List.of(
                without(request(app, "posts:read"), "code_challenge"),
                without(request(app, "posts:read"), "code_challenge_method"),
                with(request(app, "posts:read"), "code_challenge_method", "plain"),
                without(request(app, "posts:read"), "response_type"))) {
            assertThat(offered(browser.get("/oauth/authorize?" + encoded(wrong))))
                    .containsEntry("error", "invalid_request")
                    .containsEntry("state", "s t&te")
                    .containsEntry("iss", square.server.url());
        }
        assertThat(offered(browser.get("/oauth/authorize?"
                        + encoded(with(request(app, "posts:read"), "resource", "https://other.example")))))
                .containsEntry("error", "invalid_target");
        assertThat(sent(form(browser, "/oauth/authorize", with(request(app, "posts:read"), "decision", "deny"))))
                .containsEntry("error", "access_denied");
    }

    @Test
    void whatAnAppSaysOfItselfIsChecked() {
        assertThat(error(register(anonymous, "javascript:alert(1)", "none"))).isEqualTo("400 invalid_redirect_uri");
        assertThat(error(register(anonymous, CALLBACK, "private_key_jwt"))).isEqualTo("400 invalid_client_metadata");
        for (var wrong : List.of(
                "{",
                "[]",
                "{'redirect_uris': 'https://a.example/'}",
                "{'client_name': 7, 'redirect_uris': ['https://a.example/']}",
                "{'client_name': '\u202e', 'redirect_uris': ['https://a.example/']}")) {
            assertThat(error(anonymous.post("/oauth/register", wrong)))
                    .as(wrong)
                    .isEqualTo("400 invalid_client_metadata");
        }
        assertThat(error(anonymous.post("/oauth/register", "{}"))).isEqualTo("400 invalid_redirect_uri");
    }

    @Test
    void anAppWithASecretHasToProveIt() {
        var registered = register(anonymous, CALLBACK, "client_secret_basic");
        var id = registered.text("client_id");
        var secret = registered.text("client_secret");
        var ann = square.person("ann");
        var code = code(ann, id, "account:read");
        var exchange = with(exchange(code), "client_id", id);
        assertThat(error(token(exchange))).isEqualTo("401 invalid_client");
        var wrong = token(with(exchange, "client_secret", secret + "x"));
        assertThat(error(wrong)).isEqualTo("401 invalid_client");
        assertThat(wrong.header("WWW-Authenticate")).startsWith("Basic");
        var basic = anonymous.with(
                "Authorization", "Basic " + Base64.getEncoder().encodeToString((id + ":" + secret).getBytes(UTF_8)));
        assertThat(form(basic, "/oauth/token", without(exchange, "client_id")).status())
                .isEqualTo(200);
        for (var header : List.of("Basic !!!", "Basic eA==", "Basic")) {
            assertThat(form(anonymous.with("Authorization", header), "/oauth/token", exchange)
                            .status())
                    .isEqualTo(401);
        }
        var next = code(ann, id, "account:read");
        assertThat(token(with(with(exchange(next), "client_id", id), "client_secret", secret))
                        .status())
                .isEqualTo(200);
        assertThat(error(token(with(exchange(code(ann, "account:read")), "client_secret", "x"))))
                .as("a secret where there is none")
                .isEqualTo("401 invalid_client");
    }

    @Test
    void anAppEndsItsOwnTokens() {
        var ann = square.person("ann");
        var tokens = token(exchange(code(ann, "account:read notifications:read")));
        var renewed = renewed(tokens.text("refresh_token"));
        var other = register(anonymous, CALLBACK, "none").text("client_id");
        form(anonymous, "/oauth/revoke", Map.of("client_id", other, "token", renewed.text("refresh_token")));
        assertThat(me(renewed.text("access_token"))).isEqualTo(200);
        assertThat(form(anonymous, "/oauth/revoke", Map.of("client_id", app, "token", tokens.text("access_token")))
                        .status())
                .isEqualTo(200);
        assertThat(me(tokens.text("access_token"))).isEqualTo(401);
        assertThat(me(renewed.text("access_token"))).isEqualTo(200);
        try (var stream = anonymous.token(renewed.text("access_token")).stream("/api/v1/stream")) {
            stream.await("count");
            form(anonymous, "/oauth/revoke", Map.of("client_id", app, "token", renewed.text("refresh_token")));
            await().atMost(Duration.ofSeconds(5)).until(stream::isEnded);
        }
        assertThat(me(renewed.text("access_token"))).isEqualTo(401);
        assertThat(form(anonymous, "/oauth/revoke", Map.of("client_id", app, "token", "unknown"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aPersonAtABrowserDecidesAndNobodyElse() {
        var ann = square.person("ann");
        var request = request(app, "account:read");
        var stranger = anonymous.with("Accept", "text/html").get("/oauth/authorize?" + encoded(request));
        assertThat(stranger.status()).isEqualTo(303);
        assertThat(stranger.header("Location")).startsWith("/login?next=%2Foauth%2Fauthorize%3F");
        assertThat(allow(ann.api(), request).status()).as("a token").isEqualTo(403);
        assertThat(allow(browser(anonymous, ann).with("Sec-Fetch-Site", "cross-site"), request)
                        .status())
                .isEqualTo(403);
        var session = anonymous.cookie(anonymous
                .post(
                        "/api/v1/session",
                        "{'email':'%s','password':'%s'}".formatted(square.admin.email(), square.admin.password()))
                .cookie());
        var acting = session.post("/api/v1/session/switch", "{'userId':'%s'}".formatted(ann.id()));
        assertThat(allow(anonymous.cookie(acting.cookie()), request).status())
                .as("an admin as ann")
                .isEqualTo(403);
        assertThat(ann.api().get("/api/v1/apps").json().path("items")).isEmpty();
    }

    @Test
    void aNewPasswordDisconnectsAllApps() {
        var ann = square.person("ann");
        var unused = code(ann, "account:read");
        var tokens = token(exchange(code(ann, "account:read")));
        var change = "{'currentPassword':'%s','newPassword':'battery staple horse'}".formatted(ann.password());
        assertThat(ann.api()
                        .put("/api/v1/users/" + ann.id() + "/password", change)
                        .status())
                .isEqualTo(204);
        assertThat(me(tokens.text("access_token"))).isEqualTo(401);
        assertThat(error(renewed(tokens.text("refresh_token")))).isEqualTo("400 invalid_grant");
        assertThat(error(token(exchange(unused)))).isEqualTo("400 invalid_grant");
    }

    @Test
    void programsFindTheirWayAlsoFromScriptsOfOtherSites() {
        var refused = anonymous.get("/api/v1/me");
        var metadata = square.server.url() + "/.well-known/oauth-protected-resource";
        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer resource_metadata=\"" + metadata + "\"");
        var resource = anonymous.get("/.well-known/oauth-protected-resource");
        assertThat(resource.json().path("authorization_servers").path(0).asString())
                .isEqualTo(square.server.url());
        var server = anonymous.get("/.well-known/oauth-authorization-server");
        assertThat(server.text("issuer")).isEqualTo(square.server.url());
        assertThat(server.text("token_endpoint")).isEqualTo(square.server.url() + "/oauth/token");
        assertThat(server.json().path("code_challenge_methods_supported").toString())
                .isEqualTo("[\"S256\"]");
        assertThat(server.body()).contains("posts:write").doesNotContain("admin:write");
        assertThat(server.header("Access-Control-Allow-Origin")).isEqualTo("*");

        var script = anonymous.with("Origin", "https://inspector.example").with("Sec-Fetch-Site", "cross-site");
        assertThat(script.send("OPTIONS", "/oauth/token", "").header("Access-Control-Allow-Headers"))
                .contains("Content-Type");
        var answer = form(script, "/oauth/token", exchange("hrg_x"));
        assertThat(error(answer)).isEqualTo("400 invalid_grant");
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(script.get("/oauth/authorize").header("Access-Control-Allow-Origin"))
                .isEmpty();
    }
}
