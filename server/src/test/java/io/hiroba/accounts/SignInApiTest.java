package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SignInApiTest {

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
    void aPersonSignsUpSignsInAndOut() {
        assertThat(anonymous.get("/api/v1/signup").text("mode")).isEqualTo("open");
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
            var reply = ApiClient.anonymous(secure.port())
                    .post("/api/v1/session", "{%s}".formatted(visitors.credentials(user)));
            assertThat(reply.header("Set-Cookie"))
                    .startsWith("__Host-hiroba_session=hrh_")
                    .contains("Secure", "Path=/;")
                    .doesNotContain("Domain");
        }
    }

    @Test
    void anotherSitesPageCannotUseTheCookie() {
        var user = accounts.user("browser");
        var browser = visitors.bySession(user);
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
    void aTokenIsToldOnceListedAndRevoked() {
        var user = accounts.user("Gus");
        var browser = visitors.bySession(user);
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
    void aTokenExpiresAfterNinetyDaysUnlessItsMakerSaysOtherwise() {
        var browser = visitors.bySession(accounts.user("Gil"));
        var byDefault = browser.post("/api/v1/tokens", "{'name':'ci'}").text("expiresAt");
        assertThat(Duration.between(accounts.clock.instant(), Instant.parse(byDefault)))
                .isBetween(
                        Duration.ofDays(90).minusMinutes(1), Duration.ofDays(90).plusMinutes(1));
        var never = browser.post("/api/v1/tokens", "{'name':'ci','neverExpires':true}");
        assertThat(never.json().path("expiresAt").isNull()).as(never.body()).isTrue();
        assertThat(browser.post("/api/v1/tokens", "{'name':'x','neverExpires':true,'expiresAt':'2999-01-01T00:00:00Z'}")
                        .outcome())
                .isEqualTo("400 accounts.invalid");
    }

    @Test
    void noWayOfSettingAPasswordTakesOneThatIsEasyToGuess() {
        var email = accounts.freshEmail();
        var signUp = anonymous
                .post("/api/v1/signup/start", "{'email':'%s'}".formatted(email))
                .text("signupId");
        var code = accounts.codeFor(email);
        // More often than the code may be tried.
        for (var easy : List.of("password", "        ", "12345678", "gusta gusta", "hiroba1234", "qwertyuiop")) {
            var refused = anonymous.post(
                    "/api/v1/signup/verify",
                    "{'signupId':'%s','code':'%s','nickname':'Gusta','password':'%s'}".formatted(signUp, code, easy));
            assertThat(refused.outcome()).as(easy).isEqualTo("400 accounts.invalid");
            assertThat(refused.json().path("errors").get(0).path("field").asString())
                    .isEqualTo("password");
        }
        assertThat(anonymous
                        .post(
                                "/api/v1/signup/verify",
                                "{'signupId':'%s','code':'%s','nickname':'Gusta','password':'%s'}"
                                        .formatted(signUp, code, PASSWORD))
                        .outcome())
                .isEqualTo("201");

        assertThat(admin.post("/api/v1/users", "{'email':'x@example.org','nickname':'X','password':'password'}")
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        var user = accounts.user("Gunnhild");
        assertThat(visitors.bySession(user)
                        .put(
                                "/api/v1/users/" + user.hex() + "/password",
                                "{'currentPassword':'%s','newPassword':'gunnhild99'}".formatted(PASSWORD))
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        assertThat(admin.put("/api/v1/users/" + user.hex() + "/password", "{'newPassword':'12345678'}")
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        var reset = anonymous
                .post("/api/v1/password-reset/start", "{'email':'%s'}".formatted(accounts.emailOf(user)))
                .text("resetId");
        var resetCode = accounts.codeFor(accounts.emailOf(user));
        for (var easy : List.of("password", "gunnhild99")) {
            assertThat(anonymous
                            .post(
                                    "/api/v1/password-reset/verify",
                                    "{'resetId':'%s','code':'%s','password':'%s'}".formatted(reset, resetCode, easy))
                            .outcome())
                    .isEqualTo("400 accounts.invalid");
        }
    }

    @Test
    void anAdminSwitchesToAnotherAndBackOverHttp() {
        var user = accounts.user("Hal");
        var browser = visitors.bySession(adminId);
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
        var here = visitors.bySession(user);
        var there = visitors.bySession(user);
        var path = "/api/v1/users/" + user + "/password";
        assertThat(here.put(path, "{'newPassword':'battery staple'}").outcome())
                .isEqualTo("403 accounts.wrong-current-password");
        assertThat(here.put(path, "{'currentPassword':'%s','newPassword':'short'}".formatted(PASSWORD))
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        for (var bad : List.of("short", "12345678")) {
            assertThat(here.put(path, "{'currentPassword':'%s','newPassword':'%s'}".formatted(PASSWORD, bad))
                            .json()
                            .at("/errors/0/field")
                            .asString())
                    .isEqualTo("newPassword");
        }
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
        assertThat(visitors.bySession(user).get("/api/v1/me").outcome()).isEqualTo("200");
    }

    @Test
    void anAddressIsChangedOverHttp() {
        var user = accounts.user("Jon");
        var next = accounts.freshEmail();
        var own = visitors.bySession(user);
        var path = "/api/v1/users/" + user + "/email/";
        var start = own.post(path + "start", "{'email':'%s','password':'%s'}".formatted(next, PASSWORD));
        assertThat(start.outcome()).isEqualTo("200");
        var body = "{'changeId':'%s','code':'%s'}".formatted(start.text("changeId"), accounts.codeFor(next));
        assertThat(visitors.byToken(accounts.user("stranger"))
                        .post(path + "verify", body)
                        .outcome())
                .isEqualTo("403 accounts.not-yours");
        assertThat(own.post(path + "verify", body).outcome()).isEqualTo("204");
        assertThat(own.get("/api/v1/me").text("email")).isEqualTo(next.value());
    }

    @Test
    void aBruteForceOnTheLoginIsToldWhenToComeBack() {
        var limits = new AccountsConfig.Limits(100, 100, 1000, 25);
        try (var own = new TestAccounts(TestAccounts.CONFIG.withLimits(limits), MailConfig.DEFAULT);
                var http = own.serve()) {
            var email = own.emailOf(own.user("victim"));
            var client = ApiClient.anonymous(http.port());
            var guess = "{'email':'%s','password':'guess guess'}".formatted(email);
            for (int i = 0; i < 5; i++) {
                assertThat(client.post("/api/v1/session", guess).outcome()).isEqualTo("401 accounts.wrong-password");
            }
            var refused = client.post("/api/v1/session", guess);
            assertThat(refused.outcome()).isEqualTo("429 accounts.too-many-failures");
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 3600);
            var byToken = client.post("/api/v1/tokens", guess.replace("}", ",'name':'x'}"));
            assertThat(byToken.outcome()).isEqualTo("429 accounts.too-many-failures");
            var reset = "{'email':'%s'}".formatted(email);
            client.post("/api/v1/password-reset/start", reset);
            client.post("/api/v1/password-reset/start", reset);
            var mails = client.post("/api/v1/password-reset/start", reset);
            assertThat(mails.outcome()).isEqualTo("429 mail.too-many");
            assertThat(mails.header("Retry-After")).isNotEmpty();
        }
    }

    @Test
    void logInsAreListedForTheirOwnerAlone() {
        var owner = accounts.user("owner");
        var other = accounts.user("other");
        var logIn = "{'email':'%s','password':'%s'}".formatted(accounts.emailOf(owner), PASSWORD);
        assertThat(anonymous.post("/api/v1/session", logIn).outcome()).isEqualTo("201");
        var items = visitors.byToken(owner).get("/api/v1/log-ins").json().path("items");
        assertThat(items.size()).isEqualTo(1);
        assertThat(items.get(0).path("address").asString()).isEqualTo("127.0.0.1");
        assertThat(visitors.byToken(other).get("/api/v1/log-ins").json().path("items"))
                .isEmpty();
        assertThat(visitors.byToken(other).get("/api/v1/log-ins?after=x").status())
                .isEqualTo(400);
    }

    @Test
    void aBrowserThatHasSignedInBeforeIsNotLockedOutByStrangers() {
        var limits = new AccountsConfig.Limits(100, 100, 1000, 25);
        try (var own = new TestAccounts(TestAccounts.CONFIG.withLimits(limits), MailConfig.DEFAULT);
                var http = own.serve()) {
            var user = own.user("victim");
            var stranger = ApiClient.anonymous(http.port());
            var right = "{'email':'%s','password':'%s'}".formatted(own.emailOf(user), PASSWORD);
            var wrong = right.replace(PASSWORD, "guess guess");
            var device = device(stranger.post("/api/v1/session", right));
            assertThat(device).startsWith("hiroba_device=hrd_");
            for (int i = 0; i < 6; i++) {
                stranger.post("/api/v1/session", wrong);
            }
            assertThat(stranger.post("/api/v1/session", right).outcome()).isEqualTo("429 accounts.too-many-failures");
            assertThat(stranger.with("Cookie", "hiroba_device=hrd_" + "x".repeat(43))
                            .post("/api/v1/session", right)
                            .outcome())
                    .isEqualTo("429 accounts.too-many-failures");

            var again = stranger.with("Cookie", device).post("/api/v1/session", right);
            assertThat(again.outcome()).isEqualTo("201");
            assertThat(stranger.with("Cookie", device)
                            .post("/api/v1/session", right)
                            .outcome())
                    .as("each log-in changes the secret")
                    .isEqualTo("429 accounts.too-many-failures");
            var known = stranger.with("Cookie", device(again));
            assertThat(known.post("/api/v1/session", wrong).outcome()).isEqualTo("401 accounts.wrong-password");
            assertThat(known.post("/api/v1/session", wrong).outcome()).isEqualTo("401 accounts.wrong-password");
            assertThat(known.post("/api/v1/session", wrong).outcome())
                    .as("its allowance is small")
                    .isEqualTo("429 accounts.too-many-failures");

            var reset = stranger.post("/api/v1/password-reset/start", "{'email':'%s'}".formatted(own.emailOf(user)));
            var done = stranger.post(
                    "/api/v1/password-reset/verify",
                    "{'resetId':'%s','code':'%s','password':'battery staple'}"
                            .formatted(reset.text("resetId"), own.codeFor(own.emailOf(user))));
            assertThat(stranger.with("Cookie", device(done))
                            .post("/api/v1/session", right.replace(PASSWORD, "battery staple"))
                            .outcome())
                    .as("the owner of the mailbox gets in")
                    .isEqualTo("201");
        }
    }

    /** The cookie by which a browser is known, as it sends it. */
    private static String device(ApiClient.Reply reply) {
        return reply.response().headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("hiroba_device="))
                .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theCookieLivesOnWithItsSession() {
        try (var own = new TestAccounts();
                var http = own.serve()) {
            var client = ApiClient.anonymous(http.port());
            var browser = new Visitors(own, client).bySession(own.user("Kit"));
            assertThat(browser.get("/api/v1/me").header("Set-Cookie")).isEmpty();
            own.clock.advance(java.time.Duration.ofMinutes(2));
            assertThat(browser.get("/healthz").header("Set-Cookie"))
                    .as("nobody is looked up")
                    .isEmpty();
            assertThat(browser.get("/api/v1/me").header("Set-Cookie"))
                    .startsWith("hiroba_session=hrs_")
                    .contains("Max-Age=2592000");
            own.clock.advance(java.time.Duration.ofMinutes(2));
            assertThat(browser.delete("/api/v1/session").response().headers().allValues("Set-Cookie"))
                    .singleElement()
                    .asString()
                    .startsWith("hiroba_session=;");
        }
    }

    @Test
    void theAccessLogNamesTheCaller() {
        var user = accounts.user("Lou");
        var client = visitors.byToken(user);
        var appender = new ch.qos.logback.core.read.ListAppender<ch.qos.logback.classic.spi.ILoggingEvent>();
        var logger = (ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger("access");
        appender.list = new java.util.concurrent.CopyOnWriteArrayList<>();
        appender.start();
        logger.addAppender(appender);
        try {
            client.get("/api/v1/me");
            org.awaitility.Awaitility.await()
                    .until(() -> java.util.List.copyOf(appender.list).stream()
                            .anyMatch(event -> event.getFormattedMessage().contains("\"user\":\"" + user + "\"")));
        } finally {
            logger.detachAppender(appender);
        }
    }
}
