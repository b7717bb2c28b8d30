package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.ContractRoutes;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestAccounts;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AccountsApiTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final HttpServer server = accounts.serve();
    private static final ApiClient anonymous = ApiClient.anonymous(server.port());
    private static final UserId adminId = accounts.admin();
    private static final ApiClient admin = byToken(adminId);

    @AfterAll
    static void close() {
        server.close();
        accounts.close();
    }

    private static String credentials(UserId user) {
        return "'email':'%s','password':'%s'".formatted(accounts.emailOf(user), PASSWORD);
    }

    private static ApiClient byToken(UserId user) {
        var reply = anonymous.post("/api/v1/tokens", "{%s,'name':'test'}".formatted(credentials(user)));
        assertThat(reply.outcome()).isEqualTo("201");
        return anonymous.token(reply.text("token"));
    }

    private static ApiClient bySession(UserId user) {
        return anonymous.cookie(anonymous
                .post("/api/v1/session", "{%s}".formatted(credentials(user)))
                .cookie());
    }

    @Test
    void everyRouteIsInTheDocument() {
        assertThat(ContractRoutes.registered(server))
                .isSubsetOf(ContractRoutes.documented())
                .hasSizeGreaterThan(30);
    }

    @Test
    void aPersonSignsUpSignsInAndOut() {
        var email = accounts.freshEmail();
        var start = anonymous.post("/api/v1/signup/start", "{'email':'%s'}".formatted(email));
        assertThat(start.outcome()).isEqualTo("200");
        var body = "{'signupId':'%s','code':'%s','nickname':'Ann','password':'%s'}"
                .formatted(start.text("signupId"), accounts.codeFor(email), PASSWORD);
        var verified = anonymous.post("/api/v1/signup/verify", body);
        assertThat(verified.outcome()).isEqualTo("201");
        assertThat(verified.header("Location")).isEqualTo("/api/v1/users/" + verified.text("userId"));
        assertThat(anonymous.post("/api/v1/signup/verify", body).outcome()).isEqualTo("400 accounts.code-expired");

        var signedIn = anonymous.post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(email, PASSWORD));
        assertThat(signedIn.outcome()).isEqualTo("201");
        assertThat(signedIn.header("Location")).isEqualTo("/api/v1/sessions/" + signedIn.text("id"));
        assertThat(signedIn.header("Set-Cookie"))
                .startsWith("hiroba_session=hrs_")
                .contains("HttpOnly", "SameSite=Lax", "Path=/")
                .doesNotContain("Secure");
        var me = anonymous.cookie(signedIn.cookie());
        assertThat(me.get("/api/v1/me").text("email")).isEqualTo(email.value());
        var sessions = me.get("/api/v1/sessions").json().path("items");
        assertThat(sessions.size()).isEqualTo(1);
        assertThat(sessions.get(0).path("current").asBoolean()).isTrue();
        var out = me.delete("/api/v1/session");
        assertThat(out.outcome()).isEqualTo("204");
        assertThat(out.header("Set-Cookie")).contains("Expires=Thu, 01 Jan 1970");
        assertThat(me.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void theCookieIsSecureWherePeopleComeByHttps() {
        var http = HttpConfig.onFreePort().withPublicUrl("https://square.example");
        try (var secure = accounts.serve(http)) {
            var user = accounts.user("tls");
            var reply = ApiClient.anonymous(secure.port()).post("/api/v1/session", "{%s}".formatted(credentials(user)));
            assertThat(reply.header("Set-Cookie")).contains("Secure");
        }
    }

    @Test
    void whatNeedsACallerIsRefusedWithoutOne() {
        var id = accounts.user("target").hex();
        for (var path : List.of(
                "GET /api/v1/me",
                "GET /api/v1/users",
                "GET /api/v1/users/" + id,
                "DELETE /api/v1/users/" + id,
                "PUT /api/v1/users/" + id,
                "PUT /api/v1/users/" + id + "/password",
                "POST /api/v1/users/" + id + "/email/start",
                "POST /api/v1/users/" + id + "/email/verify",
                "POST /api/v1/users",
                "DELETE /api/v1/session",
                "POST /api/v1/session/switch",
                "GET /api/v1/sessions",
                "DELETE /api/v1/sessions/" + id,
                "GET /api/v1/tokens",
                "DELETE /api/v1/tokens/" + id,
                "GET /api/v1/ai-models",
                "PUT /api/v1/ai-models/x",
                "DELETE /api/v1/ai-models/x",
                "GET /api/v1/me/actions",
                "POST /api/v1/me/actions",
                "GET /api/v1/audit")) {
            var parts = path.split(" ", 2);
            for (var caller : List.of(
                    anonymous,
                    anonymous.token("hrb_" + "A".repeat(43)),
                    anonymous.token("x"),
                    anonymous.cookie("hrs_" + "A".repeat(43)))) {
                assertThat(caller.send(parts[0], parts[1], parts[0].startsWith("P") ? "{}" : "")
                                .outcome())
                        .as(path)
                        .isEqualTo("401 accounts.not-signed-in");
            }
        }
        assertThat(anonymous.post("/api/v1/tokens", "{'name':'x'}").outcome()).isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void whatIsForAdminsIsRefusedToOthers() {
        var user = accounts.user("plain");
        var plain = byToken(user);
        assertThat(plain.get("/api/v1/audit").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(plain.post("/api/v1/users", "{}").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(plain.put("/api/v1/ai-models/x", "{}").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(plain.delete("/api/v1/ai-models/x").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(bySession(user)
                        .post("/api/v1/session/switch", "{'userId':'%s'}".formatted(adminId))
                        .outcome())
                .isEqualTo("403 accounts.admin-only");
        assertThat(plain.put("/api/v1/users/" + user, "{'nickname':'x','introduction':'','isAdmin':true}")
                        .outcome())
                .isEqualTo("403 accounts.admin-only");
    }

    @Test
    void whatIsAnothersIsRefused() {
        var victim = accounts.user("victim");
        var stranger = byToken(accounts.user("stranger"));
        var victimToken = accounts.tokens
                .create(accounts.caller(victim), new io.hiroba.accounts.signin.NewToken("t", null))
                .token();
        assertThat(stranger.put("/api/v1/users/" + victim, "{'nickname':'x','introduction':''}")
                        .outcome())
                .isEqualTo("403 accounts.not-yours");
        assertThat(stranger.delete("/api/v1/users/" + victim).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(stranger.put("/api/v1/users/" + victim + "/password", "{'newPassword':'12345678'}")
                        .outcome())
                .isEqualTo("403 accounts.not-yours");
        assertThat(stranger.delete("/api/v1/tokens/" + victimToken.id()).outcome())
                .isEqualTo("404 accounts.token-not-found");
        assertThat(stranger.delete("/api/v1/sessions/" + victimToken.id()).outcome())
                .isEqualTo("404 accounts.session-not-found");
        var seen = stranger.get("/api/v1/users/" + victim);
        assertThat(seen.text("email")).isEqualTo(accounts.emailOf(victim).masked());
        assertThat(seen.body()).doesNotContain(accounts.emailOf(victim).value()).doesNotContain("argon2");
        assertThat(stranger.get("/api/v1/users?nicknamePrefix=victim").body())
                .doesNotContain(accounts.emailOf(victim).value());
        assertThat(admin.get("/api/v1/users/" + victim).text("email"))
                .isEqualTo(accounts.emailOf(victim).value());
    }

    @Test
    void anotherSitesPageCannotUseTheCookie() {
        var user = accounts.user("browser");
        var browser = bySession(user);
        var body = "{'nickname':'owned','introduction':''}";
        for (var foreign : List.of(
                browser.with("Sec-Fetch-Site", "cross-site"),
                browser.with("Sec-Fetch-Site", "same-site"),
                browser.with("Origin", "https://evil.example"))) {
            assertThat(foreign.put("/api/v1/users/" + user, body).outcome()).isEqualTo("403 http.cross-site");
            assertThat(foreign.post("/api/v1/tokens", "{'name':'x'}").outcome()).isEqualTo("403 http.cross-site");
        }
        assertThat(browser.with("Sec-Fetch-Site", "same-origin")
                        .put("/api/v1/users/" + user, body)
                        .outcome())
                .isEqualTo("200");
        var confused = browser.token("hrb_" + "A".repeat(43)).with("Origin", "https://evil.example");
        assertThat(confused.put("/api/v1/users/" + user, body).outcome()).isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void aProfileIsShownWithItsHtmlAndItsMarkdown() {
        var user = accounts.user("Carl");
        var own = byToken(user);
        var reply = own.put(
                "/api/v1/users/" + user,
                "{'nickname':'Carla','introduction':'**hi** <script>x</script>','aiPersonality':'calm','timeZone':'Asia/Tokyo'}");
        assertThat(reply.outcome()).isEqualTo("200");
        var introduction = reply.json().path("introduction");
        assertThat(introduction.path("markdown").asString()).startsWith("**hi**");
        assertThat(introduction.path("html").asString())
                .contains("<strong>hi</strong>")
                .doesNotContain("<script>");
        assertThat(reply.json().path("snippet").isArray()).isTrue();
        assertThat(reply.json().path("isAdmin").isBoolean()).isTrue();
        assertThat(reply.text("kind")).isEqualTo("person");
        assertThat(reply.text("aiPersonality")).isEqualTo("calm");
        assertThat(reply.text("timeZone")).isEqualTo("Asia/Tokyo");
        assertThat(reply.text("createdAt")).endsWith("Z");
        var others = byToken(accounts.user("Dora")).get("/api/v1/users/" + user).json();
        assertThat(others.path("aiPersonality").isNull()).isTrue();
        assertThat(others.path("timeZone").isNull()).isTrue();
    }

    @Test
    void hostileAndOversizedValuesAreRefusedByName() {
        var user = accounts.user("Eve");
        var own = byToken(user);
        var path = "/api/v1/users/" + user;
        for (var body : List.of(
                "{'nickname':'a\\nb','introduction':''}",
                "{'nickname':'','introduction':''}",
                "{'nickname':'x','introduction':'%s'}".formatted("x".repeat(2501)),
                "{'nickname':'x','introduction':'','avatar':'javascript:alert(1)'}",
                "{'nickname':'x','introduction':'','timeZone':'x'}",
                "{'nickname':'x','introduction':'','aiModel':'none'}")) {
            assertThat(own.put(path, body).outcome()).as(body).isEqualTo("400 accounts.invalid");
        }
        assertThat(own.put(path, "{'nickname':'a\\u0000b','introduction':''}").status())
                .isEqualTo(400);
        assertThat(own.put(path, "{'nickname':'x','introduction':'','password':'y'}")
                        .outcome())
                .isEqualTo("400 http.unknown-field");
        assertThat(own.put(path, "{'nickname':7,'introduction':''}").status()).isEqualTo(400);
        assertThat(own.put(path, "{'introduction':''}").outcome()).isEqualTo("400 http.missing-field");
        assertThat(own.put(path, "{'nickname':'x','introduction':'%s'}".formatted("x".repeat(2_000_000)))
                        .status())
                .isEqualTo(413);
        assertThat(own.get("/api/v1/users/xyz").outcome()).isEqualTo("400 id.malformed");
        assertThat(own.get("/api/v1/users/0000000000000001").outcome()).isEqualTo("404 accounts.user-not-found");
        assertThat(own.get("/api/v1/users?limit=0").status()).isEqualTo(400);
        assertThat(own.get("/api/v1/users?limit=101").status()).isEqualTo(400);
        assertThat(own.get("/api/v1/users?after=AAAA").outcome()).isEqualTo("400 http.bad-cursor");
        assertThat(own.get("/api/v1/users?nicknamePrefix=%00").status()).isEqualTo(400);
        for (var email : List.of("x", "a@b.c\\r\\nBcc: d@e.f", "%s@b.c".formatted("a".repeat(5000)))) {
            assertThat(anonymous
                            .post("/api/v1/signup/start", "{'email':'%s'}".formatted(email))
                            .outcome())
                    .isEqualTo("400 accounts.invalid");
        }
    }

    @Test
    void anAdminMakesAnAccountOnceForOneIdempotencyKey() {
        var email = accounts.freshEmail();
        var body = "{'email':'%s','nickname':'Fay','password':'%s','isAdmin':false}".formatted(email, PASSWORD);
        var keyed = admin.with("Idempotency-Key", "make-fay");
        var made = keyed.post("/api/v1/users", body);
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(made.header("Location")).isEqualTo("/api/v1/users/" + made.text("id"));
        assertThat(keyed.post("/api/v1/users", body).text("id")).isEqualTo(made.text("id"));
        assertThat(admin.post("/api/v1/users", body).outcome()).isEqualTo("409 accounts.email-taken");
        assertThat(admin.delete(made.header("Location")).outcome()).isEqualTo("204");
        assertThat(admin.get(made.header("Location")).outcome()).isEqualTo("404 accounts.user-not-found");
    }

    @Test
    void usersAreListedPageByPage() {
        for (int i = 0; i < 5; i++) {
            accounts.user("pagey" + i);
        }
        var first = admin.get("/api/v1/users?nicknamePrefix=PAGEY&limit=3").json();
        assertThat(first.path("items").size()).isEqualTo(3);
        var second = admin.get("/api/v1/users?nicknamePrefix=pagey&limit=3&after="
                        + first.path("next").asString())
                .json();
        assertThat(second.path("items").size()).isEqualTo(2);
        assertThat(second.path("next").isNull()).isTrue();
        assertThat(second.path("items").get(0).path("nickname").asString()).isEqualTo("pagey3");
    }

    @Test
    void aTokenIsToldOnceListedAndRevoked() {
        var user = accounts.user("Gus");
        var browser = bySession(user);
        var made = browser.post("/api/v1/tokens", "{'name':'ci','expiresAt':'2999-01-01T00:00:00Z'}");
        assertThat(made.outcome()).isEqualTo("201");
        var program = anonymous.token(made.text("token"));
        assertThat(program.get("/api/v1/me").text("id")).isEqualTo(user.hex());
        assertThat(program.post("/api/v1/tokens", "{'name':'more'}").outcome())
                .isEqualTo("403 accounts.session-required");
        assertThat(program.delete("/api/v1/session").outcome()).isEqualTo("403 accounts.session-required");
        var listed = browser.get("/api/v1/tokens");
        assertThat(listed.body()).contains("'ci'".replace('\'', '"')).doesNotContain(made.text("token"));
        assertThat(browser.delete(made.header("Location")).outcome()).isEqualTo("204");
        assertThat(program.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(browser.post("/api/v1/tokens", "{'name':'x','email':'a@b.c'}")
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        assertThat(browser.post("/api/v1/tokens", "{'name':'x','expiresAt':'2001-01-01T00:00:00Z'}")
                        .outcome())
                .isEqualTo("400 accounts.invalid");
    }

    @Test
    void anAdminSwitchesToAnotherAndBackOverHttp() {
        var user = accounts.user("Hal");
        var browser = bySession(adminId);
        var switched = browser.post("/api/v1/session/switch", "{'userId':'%s'}".formatted(user));
        assertThat(switched.outcome()).isEqualTo("200");
        assertThat(browser.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
        var acting = anonymous.cookie(switched.cookie());
        assertThat(acting.get("/api/v1/me").text("id")).isEqualTo(user.hex());
        assertThat(acting.get("/api/v1/audit").outcome()).isEqualTo("403 accounts.admin-only");
        var back = acting.post("/api/v1/session/switch", "{'userId':'%s'}".formatted(adminId));
        assertThat(anonymous.cookie(back.cookie()).get("/api/v1/me").text("id")).isEqualTo(adminId.hex());
        var audit = admin.get("/api/v1/audit?limit=2").json();
        assertThat(audit.path("items").get(0).path("action").asString()).isEqualTo("user-switched-back");
        assertThat(audit.path("items").get(1).path("subjectId").asString()).isEqualTo(user.hex());
    }

    @Test
    void passwordsAreChangedAndReset() {
        var user = accounts.user("Ida");
        var email = accounts.emailOf(user);
        var here = bySession(user);
        var there = bySession(user);
        var path = "/api/v1/users/" + user + "/password";
        assertThat(here.put(path, "{'newPassword':'battery staple'}").outcome())
                .isEqualTo("403 accounts.wrong-current-password");
        assertThat(here.put(path, "{'currentPassword':'%s','newPassword':'short'}".formatted(PASSWORD))
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        assertThat(here.put(path, "{'currentPassword':'%s','newPassword':'battery staple'}".formatted(PASSWORD))
                        .outcome())
                .isEqualTo("204");
        assertThat(here.get("/api/v1/me").outcome()).isEqualTo("200");
        assertThat(there.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");

        var known = anonymous.post("/api/v1/password-reset/start", "{'email':'%s'}".formatted(email));
        var unknown = anonymous.post("/api/v1/password-reset/start", "{'email':'%s'}".formatted(accounts.freshEmail()));
        assertThat(known.outcome()).isEqualTo("200").isEqualTo(unknown.outcome());
        assertThat(known.body().length()).isEqualTo(unknown.body().length());
        var reset = "{'resetId':'%s','code':'%s','password':'%s'}"
                .formatted(known.text("resetId"), accounts.codeFor(email), PASSWORD);
        assertThat(anonymous.post("/api/v1/password-reset/verify", reset).outcome())
                .isEqualTo("204");
        assertThat(here.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(bySession(user).get("/api/v1/me").outcome()).isEqualTo("200");
    }

    @Test
    void anAddressIsChangedOverHttp() {
        var user = accounts.user("Jon");
        var next = accounts.freshEmail();
        var own = bySession(user);
        var path = "/api/v1/users/" + user + "/email/";
        var start = own.post(path + "start", "{'email':'%s','password':'%s'}".formatted(next, PASSWORD));
        assertThat(start.outcome()).isEqualTo("200");
        var body = "{'changeId':'%s','code':'%s'}".formatted(start.text("changeId"), accounts.codeFor(next));
        assertThat(byToken(accounts.user("stranger"))
                        .post(path + "verify", body)
                        .outcome())
                .isEqualTo("403 accounts.not-yours");
        assertThat(own.post(path + "verify", body).outcome()).isEqualTo("204");
        assertThat(own.get("/api/v1/me").text("email")).isEqualTo(next.value());
    }

    @Test
    void aBruteForceOnTheLoginIsToldWhenToComeBack() {
        var limits = new AccountsConfig.Limits(100, 100, 1000, 5);
        try (var own = new TestAccounts(TestAccounts.CONFIG.withLimits(limits), MailConfig.DEFAULT);
                var http = own.serve()) {
            var email = own.emailOf(own.user("victim"));
            var client = ApiClient.anonymous(http.port());
            var guess = "{'email':'%s','password':'guess guess'}".formatted(email);
            for (int i = 0; i < 5; i++) {
                assertThat(client.post("/api/v1/session", guess).outcome()).isEqualTo("401 accounts.wrong-password");
            }
            var refused = client.post("/api/v1/session", guess);
            assertThat(refused.outcome()).isEqualTo("429 accounts.too-often");
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 300);
            var byToken = client.post("/api/v1/tokens", guess.replace("}", ",'name':'x'}"));
            assertThat(byToken.outcome()).isEqualTo("429 accounts.too-often");
            var reset = "{'email':'%s'}".formatted(email);
            client.post("/api/v1/password-reset/start", reset);
            client.post("/api/v1/password-reset/start", reset);
            var mails = client.post("/api/v1/password-reset/start", reset);
            assertThat(mails.outcome()).isEqualTo("429 mail.too-many");
            assertThat(mails.header("Retry-After")).isNotEmpty();
        }
    }

    @Test
    void modelsAndActionsAreKeptOverHttp() {
        var agent = byToken(accounts.user("agent"));
        var model = "{'inputCost':0.15,'outputCost':30,'description':'small'}";
        assertThat(admin.put("/api/v1/ai-models/m-1", model).outcome()).isEqualTo("201");
        assertThat(admin.put("/api/v1/ai-models/m-1", model).outcome()).isEqualTo("200");
        assertThat(agent.get("/api/v1/ai-models/m-1").body()).contains("\"inputCost\":0.15,\"outputCost\":30");
        assertThat(agent.get("/api/v1/ai-models").json().path("items").size()).isEqualTo(1);
        assertThat(admin.put("/api/v1/ai-models/m-2", "{'inputCost':1e999999999,'outputCost':1}")
                        .status())
                .isEqualTo(400);
        assertThat(admin.delete("/api/v1/ai-models/m-1").outcome()).isEqualTo("204");
        assertThat(admin.delete("/api/v1/ai-models/m-1").outcome()).isEqualTo("404 accounts.ai-model-not-found");

        var noted = agent.post("/api/v1/me/actions", "{'did':{'any':['thing',1,null]}}");
        assertThat(noted.outcome()).isEqualTo("201");
        assertThat(agent.get(noted.header("Location"))
                        .json()
                        .path("payload")
                        .path("did")
                        .path("any")
                        .size())
                .isEqualTo(3);
        assertThat(agent.get("/api/v1/me/actions").json().path("items").size()).isEqualTo(1);
        assertThat(admin.get(noted.header("Location")).outcome()).isEqualTo("404 accounts.ai-action-not-found");
        assertThat(agent.post("/api/v1/me/actions", "[1]").status()).isEqualTo(400);
        assertThat(agent.post("/api/v1/me/actions", "{'x':'%s'}".formatted("x".repeat(70_000)))
                        .outcome())
                .isEqualTo("400 accounts.invalid");
    }
}
