package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.http.ContractRoutes;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestAccounts;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AccountsApiTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final HttpServer server = accounts.serve();
    private static final ApiClient anonymous = ApiClient.anonymous(server.port());
    private static final Visitors visitors = new Visitors(accounts, anonymous);
    private static final UserId adminId = accounts.admin();
    private static final ApiClient admin = visitors.byToken(adminId);

    @AfterAll
    static void close() {
        server.close();
        accounts.close();
    }

    @Test
    void everyRouteIsInTheDocument() {
        assertThat(ContractRoutes.registered(server))
                .isSubsetOf(ContractRoutes.documented())
                .hasSizeGreaterThan(30);
    }

    @Test
    void aSessionFromBeforeThePrefixGoesOnAndANewOneIsNotTakenWithoutIt() {
        var user = accounts.user("mover");
        var before = accounts.sessions.begin(TestAccounts.client(), user).secret();
        var http = HttpConfig.onFreePort().withPublicUrl("https://square.example");
        try (var secure = accounts.serve(http)) {
            var client = ApiClient.anonymous(secure.port());
            var moved = client.cookie(before).get("/api/v1/me");
            assertThat(moved.outcome()).isEqualTo("200");
            assertThat(moved.response().headers().allValues("Set-Cookie"))
                    .satisfiesExactly(
                            set -> assertThat(set).startsWith("__Host-hiroba_session=" + before),
                            cleared -> assertThat(cleared).startsWith("hiroba_session=;"));
            var renamed = client.with("Cookie", "__Host-hiroba_session=" + before);
            assertThat(renamed.get("/api/v1/me").outcome()).isEqualTo("200");
            assertThat(renamed.get("/api/v1/me").header("Set-Cookie")).isEmpty();

            var begun = client.post("/api/v1/session", "{%s}".formatted(visitors.credentials(user)))
                    .cookie();
            assertThat(client.cookie(begun).get("/api/v1/me").outcome()).isEqualTo("200");
            assertThat(client.with("Cookie", "hiroba_session=" + begun)
                            .get("/api/v1/me")
                            .outcome())
                    .isEqualTo("401 accounts.not-signed-in");
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
                "GET /api/v1/log-ins",
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
        var plain = visitors.byToken(user);
        assertThat(plain.get("/api/v1/audit").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(plain.post("/api/v1/users", "{}").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(plain.put("/api/v1/ai-models/x", "{}").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(plain.delete("/api/v1/ai-models/x").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(visitors.bySession(user)
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
        var stranger = visitors.byToken(accounts.user("stranger"));
        var victimToken = accounts.tokens
                .create(accounts.signedIn(victim), new NewToken("t", null))
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
    void aProfileIsShownWithItsHtmlAndItsMarkdown() {
        var user = accounts.user("Carl");
        var own = visitors.byToken(user);
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
        var others = visitors.byToken(accounts.user("Dora"))
                .get("/api/v1/users/" + user)
                .json();
        assertThat(others.path("aiPersonality").isNull()).isTrue();
        assertThat(others.path("timeZone").isNull()).isTrue();
    }

    @Test
    void hostileAndOversizedValuesAreRefusedByName() {
        var user = accounts.user("Eve");
        var own = visitors.byToken(user);
        var path = "/api/v1/users/" + user;
        for (var body : List.of(
                "{'nickname':'a\\nb','introduction':''}",
                "{'nickname':'','introduction':''}",
                "{'nickname':'x','introduction':'%s'}".formatted("x".repeat(2501)),
                "{'nickname':'x','introduction':'','avatar':'javascript:alert(1)'}",
                "{'nickname':'x','introduction':'','timeZone':'x'}",
                "{'nickname':'x','introduction':'','aiModel':'none'}",
                "{'nickname':'x','introduction':'','aiModel':'%s'}".formatted("m".repeat(51)))) {
            assertThat(own.put(path, body).outcome()).as(body).isEqualTo("400 accounts.invalid");
        }
        assertThat(own.put(path, "{'nickname':'a\\u0000b','introduction':''}").status())
                .isEqualTo(400);
        assertThat(own.put(path, "{'nickname':'x','introduction':'','passwordHash':'y'}")
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
        assertThat(keyed.post("/api/v1/users", body.replace(PASSWORD, "battery staple"))
                        .text("id"))
                .as("nothing is stored from which the password could be guessed")
                .isEqualTo(made.text("id"));
        assertThat(keyed.post("/api/v1/users", body.replace("Fay", "May")).outcome())
                .isEqualTo("422 http.idempotency-mismatch");
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
    void modelsAndActionsAreKeptOverHttp() {
        var agent = visitors.byToken(accounts.user("agent"));
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
        for (var number : List.of("1e308", "-4.9e-324", "1e999")) {
            var id =
                    agent.post("/api/v1/me/actions", "{'cost': " + number + "}").text("id");
            assertThat(agent.get("/api/v1/me/actions/" + id).status())
                    .as(number)
                    .isEqualTo(200);
        }
        assertThat(agent.post("/api/v1/me/actions", "{'x':'%s'}".formatted("x".repeat(70_000)))
                        .outcome())
                .isEqualTo("400 accounts.invalid");
    }
}
