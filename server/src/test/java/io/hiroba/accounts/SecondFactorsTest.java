package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static io.hiroba.testkit.TestAccounts.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AccountsConfig.SecondFactor;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.AuthenticatorApp;
import io.hiroba.testkit.TestAccounts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Authenticator apps, recovery codes and log-ins in two steps. */
class SecondFactorsTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final SecondFactors factors = accounts.module.secondFactors();
    private static final LogInSteps steps = accounts.module.logInSteps();
    private static final HttpServer server = accounts.serve();
    private static final ApiClient anonymous = ApiClient.anonymous(server.port());
    private static final Visitors visitors = new Visitors(accounts, anonymous);

    @AfterAll
    static void close() {
        server.close();
        accounts.close();
    }

    private static void assertCode(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("accounts." + code));
    }

    /** Somebody with an authenticator app and recovery codes. */
    private record Enrolled(UserId user, AuthenticatorApp app, List<String> recoveryCodes) {

        static Enrolled in(TestAccounts accounts, UserId user) {
            var factors = accounts.module.secondFactors();
            var caller = accounts.signedIn(user);
            factors.startApp(caller);
            var app = new AuthenticatorApp(factors.unconfirmedApp(caller).orElseThrow());
            var codes = factors.confirmApp(caller, app.code(accounts.clock.instant()));
            accounts.clock.advance(Duration.ofSeconds(30));
            return new Enrolled(user, app, codes);
        }

        /** A code that was not used: the clock goes on by a step. */
        String freshCode(TestAccounts accounts) {
            accounts.clock.advance(Duration.ofSeconds(30));
            return app.code(accounts.clock.instant());
        }
    }

    private static Enrolled enrolled(String nickname) {
        return Enrolled.in(accounts, accounts.user(nickname));
    }

    @ParameterizedTest
    @CsvSource({
        "59, 287082",
        "1111111109, 081804",
        "1111111111, 050471",
        "1234567890, 005924",
        "2000000000, 279037",
        "20000000000, 353130"
    })
    void codesAreThoseOfRfc6238(long second, String code) {
        var totp = new Totp("12345678901234567890".getBytes(StandardCharsets.US_ASCII));
        var now = Instant.ofEpochSecond(second);
        assertThat(totp.codeAt(now)).isEqualTo(code);
        assertThat(totp.base32()).isEqualTo("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assertThat(new AuthenticatorApp(totp.base32()).code(now)).isEqualTo(code);
        for (int step : new int[] {-1, 0, 1}) {
            assertThat(totp.stepOf(code, now.plusSeconds(30L * step))).hasValue(second / 30);
        }
        assertThat(totp.stepOf(code, now.plusSeconds(60))).isEmpty();
        assertThat(totp.stepOf(code, now.minusSeconds(60))).isEmpty();
    }

    @Test
    void anAppCountsOnceACodeOfItWasGivenAndItsSecretIsNotReadableInTheDatabase() {
        var user = accounts.user("Ann");
        var caller = accounts.signedIn(user);
        factors.startApp(caller);
        var key = factors.unconfirmedApp(caller).orElseThrow();
        assertThat(factors.list(caller).factors()).isEmpty();
        assertThat(accounts.sessions.logIn(client(), accounts.emailOf(user), PASSWORD))
                .isNotNull();
        var app = new AuthenticatorApp(key);
        var code = app.code(accounts.clock.instant());
        assertCode(() -> factors.confirmApp(caller, TestAccounts.otherThan(code)), "invalid");

        var codes = factors.confirmApp(caller, " %s %s ".formatted(code.substring(0, 3), code.substring(3)));
        assertThat(codes).hasSize(10).doesNotHaveDuplicates().allMatch(each -> each.matches("(\\w{4}-){3}\\w{4}"));
        assertThat(factors.list(caller).factors())
                .singleElement()
                .extracting(SecondFactors.Factor::kind)
                .isEqualTo(SecondFactors.Kind.APP);
        assertThat(factors.unconfirmedApp(caller)).isEmpty();
        assertCode(() -> factors.startApp(caller), "app-exists");
        assertCode(() -> factors.confirmApp(caller, code), "second-factor-not-found");
        assertCode(
                () -> accounts.sessions.logIn(client(), accounts.emailOf(user), PASSWORD, code), "wrong-second-factor");
        var stored = accounts.db.read(
                reads -> reads.query("SELECT secret FROM accounts.authenticator_apps WHERE user_id = :user")
                        .bind("user", user.value())
                        .mapTo(byte[].class)
                        .one());
        assertThat(new Totp(stored).base32()).doesNotContain(key);
        assertThat(accounts.mails(accounts.emailOf(user)))
                .anyMatch(mail -> mail.subject().equals("A second factor was added to your Hiroba account"));
    }

    @Test
    void aCodeIsAcceptedOnceAlsoWhereItComesAtOnceToTwoNodes() throws Exception {
        var ann = enrolled("Twice");
        var email = accounts.emailOf(ann.user());
        var code = ann.freshCode(accounts);
        var body = "{'email':'%s','password':'%s','code':'%s'}".formatted(email, PASSWORD, code);
        try (var other = accounts.serve(HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1)));
                var threads = Executors.newFixedThreadPool(6)) {
            var attempts = IntStream.range(0, 6)
                    .mapToObj(i -> ApiClient.anonymous(i % 2 == 0 ? server.port() : other.port()))
                    .<Callable<String>>map(
                            node -> () -> node.post("/api/v1/session", body).outcome())
                    .toList();
            var outcomes =
                    threads.invokeAll(attempts).stream().map(Future::resultNow).toList();
            assertThat(outcomes).hasSize(6);
            assertThat(outcomes).filteredOn("201"::equals).hasSize(1);
            assertThat(outcomes)
                    .filteredOn("401 accounts.wrong-second-factor"::equals)
                    .hasSize(5);
        }
    }

    @Test
    void thePasswordAloneOpensNeitherASessionNorATokenAndSaysWhatIsMissing() {
        var bob = enrolled("Bob");
        var credentials = visitors.credentials(bob.user());
        var refused = anonymous.post("/api/v1/session", "{%s}".formatted(credentials));
        assertThat(refused.outcome()).isEqualTo("401 accounts.second-factor-required");
        assertThat(refused.json().path("errors").get(0).path("field").asString())
                .isEqualTo("code");
        assertThat(refused.header("Set-Cookie")).isEmpty();
        assertThat(anonymous
                        .post("/api/v1/tokens", "{%s,'name':'x'}".formatted(credentials))
                        .outcome())
                .isEqualTo("401 accounts.second-factor-required");
        assertThat(anonymous
                        .post("/api/v1/tokens", "{%s,'name':'x','code':'12345'}".formatted(credentials))
                        .outcome())
                .isEqualTo("401 accounts.wrong-second-factor");

        var token = "{%s,'name':'x','code':'%s'}".formatted(credentials, bob.freshCode(accounts));
        assertThat(anonymous.post("/api/v1/tokens", token).outcome()).isEqualTo("201");
        assertThat(anonymous.post("/api/v1/tokens", token).outcome()).isEqualTo("401 accounts.wrong-second-factor");
        var session = "{%s,'code':'%s'}"
                .formatted(credentials, bob.recoveryCodes().getFirst().toUpperCase(Locale.ROOT));
        assertThat(anonymous.post("/api/v1/session", session).outcome()).isEqualTo("201");
        assertThat(anonymous.post("/api/v1/session", session).outcome()).isEqualTo("401 accounts.wrong-second-factor");
        assertThat(accounts.mails(accounts.emailOf(bob.user())))
                .anyMatch(mail -> mail.subject().equals("A recovery code of your Hiroba account was used"));
    }

    @Test
    void aResetOfThePasswordByMailDoesNotGetPastTheSecondFactor() {
        var carl = enrolled("Carl");
        var email = accounts.emailOf(carl.user());
        var before = steps.start(client(), email, PASSWORD);
        var reset = accounts.passwordReset.start(client(), email);
        accounts.passwordReset.verify(client(), reset, accounts.codeFor(email), new Password("battery staple"));
        assertCode(() -> steps.complete(client(), before.pending(), carl.freshCode(accounts)), "log-in-expired");
        var after = steps.start(client(), email, "battery staple");
        assertThat(after.session()).isEmpty();
        assertCode(() -> accounts.sessions.logIn(client(), email, "battery staple"), "second-factor-required");
        assertThat(steps.complete(client(), after.pending(), carl.freshCode(accounts))
                        .user())
                .isEqualTo(carl.user());
    }

    @Test
    void aPendingLogInIsNoSessionTakesFiveAttemptsAndTenMinutesAndIsCompletedOnce() {
        var dora = enrolled("Dora");
        var email = accounts.emailOf(dora.user());
        var first = steps.start(client(), email, PASSWORD);
        assertThat(first.session()).isEmpty();
        assertThat(first.toString()).doesNotContain(first.pending());
        assertThat(anonymous.cookie(first.pending()).get("/api/v1/me").status()).isEqualTo(401);
        assertThat(steps.accepted(first.pending())).hasValue(new LogInSteps.Accepted(true, false));
        assertThat(steps.complete(client(), first.pending(), dora.freshCode(accounts))
                        .user())
                .isEqualTo(dora.user());
        assertCode(() -> steps.complete(client(), first.pending(), dora.freshCode(accounts)), "log-in-expired");

        var guessed = steps.start(client(), email, PASSWORD).pending();
        for (int i = 0; i < 5; i++) {
            assertCode(() -> steps.complete(client(), guessed, "12345"), "wrong-second-factor");
        }
        assertCode(() -> steps.complete(client(), guessed, dora.freshCode(accounts)), "log-in-expired");

        var late = steps.start(client(), email, PASSWORD).pending();
        accounts.clock.advance(Duration.ofMinutes(10));
        assertThat(steps.accepted(late)).isEmpty();
        assertCode(() -> steps.complete(client(), late, dora.freshCode(accounts)), "log-in-expired");
        steps.sweep();
        assertThat(accounts.count("SELECT count(*) FROM accounts.pending_log_ins WHERE user_id = "
                        + dora.user().value()))
                .isZero();
    }

    @Test
    void wrongCodesCountAsWrongPasswordsOfTheAccountDo() {
        var limits = new AccountsConfig.Limits(1000, 1000, 1000, 25);
        try (var own = new TestAccounts(TestAccounts.CONFIG.withLimits(limits), MailConfig.DEFAULT)) {
            var eve = Enrolled.in(own, own.user("Eve"));
            var email = own.emailOf(eve.user());
            for (int i = 0; i < 5; i++) {
                assertCode(() -> own.sessions.logIn(client(), email, PASSWORD, "12345"), "wrong-second-factor");
            }
            assertCode(() -> own.sessions.logIn(client(), email, PASSWORD, "12345"), "too-many-failures");
            var pending = own.module.logInSteps();
            assertCode(() -> pending.start(client(), email, PASSWORD), "too-many-failures");
            own.clock.advance(Duration.ofHours(1));
            assertThat(own.sessions
                            .logIn(client(), email, PASSWORD, eve.freshCode(own))
                            .user())
                    .isEqualTo(eve.user());
        }
    }

    @Test
    void recoveryCodesAreMadeAnewAndGoWithTheLastFactor() {
        var fay = enrolled("Fay");
        var caller = accounts.signedIn(fay.user());
        var email = accounts.emailOf(fay.user());
        var renewed = factors.renewRecoveryCodes(caller);
        assertThat(renewed).hasSize(10).doesNotContainAnyElementsOf(fay.recoveryCodes());
        assertCode(
                () -> accounts.sessions.logIn(
                        client(), email, PASSWORD, fay.recoveryCodes().getFirst()),
                "wrong-second-factor");
        accounts.sessions.logIn(client(), email, PASSWORD, renewed.getFirst());
        assertThat(factors.list(caller).recoveryCodes()).isEqualTo(9);

        var app = factors.list(caller).factors().getFirst();
        factors.remove(caller, app.id(), "");
        assertThat(factors.list(caller)).isEqualTo(new SecondFactors.Overview(List.of(), 0));
        accounts.sessions.logIn(client(), email, PASSWORD);
        assertCode(() -> factors.remove(caller, app.id(), ""), "second-factor-not-found");
        assertCode(() -> factors.renewRecoveryCodes(caller), "second-factor-not-found");
        assertThat(accounts.mails(email))
                .extracting(mail -> mail.subject())
                .contains(
                        "New recovery codes of your Hiroba account",
                        "A second factor was removed from your Hiroba account");
    }

    @Test
    void factorsAreChangedOnlyInASessionThatWasConfirmedLatelyAndByNobodyElse() {
        var gus = enrolled("Gus");
        var code = gus.freshCode(accounts);
        var reply =
                anonymous.post("/api/v1/session", "{%s,'code':'%s'}".formatted(visitors.credentials(gus.user()), code));
        var browser = anonymous.cookie(reply.cookie());
        var listed = browser.get("/api/v1/second-factors").json();
        assertThat(listed.path("recoveryCodes").asInt()).isEqualTo(10);
        var path = "/api/v1/second-factors/"
                + listed.path("items").get(0).path("id").asString();
        var stranger = visitors.bySession(accounts.user("stranger"));
        assertThat(stranger.delete(path).outcome()).isEqualTo("404 accounts.second-factor-not-found");
        var admin = accounts.admin();
        var acting = accounts.caller(admin);
        assertCode(() -> factors.startApp(new Caller(gus.user(), false, acting.via(), admin)), "acting");
        var token = browser.post("/api/v1/tokens", "{'name':'x'}").text("token");
        assertThat(anonymous
                        .token(token)
                        .send("DELETE", path, "{'password':'%s'}".formatted(PASSWORD))
                        .outcome())
                .isEqualTo("403 accounts.session-required");
        accounts.clock.advance(Sessions.CONFIRMED_FOR.plusSeconds(1));
        assertThat(browser.delete(path).outcome()).isEqualTo("403 accounts.password-required");
        assertThat(browser.send("DELETE", path, "{'password':'wrong'}").outcome())
                .isEqualTo("403 accounts.wrong-current-password");
        assertThat(browser.send("DELETE", path, "{'password':'%s'}".formatted(PASSWORD))
                        .outcome())
                .isEqualTo("204");
        assertThat(visitors.bySession(gus.user())
                        .get("/api/v1/second-factors")
                        .json()
                        .path("items")
                        .size())
                .isZero();
    }

    @Test
    void anAdminRemovesTheFactorsOfWhoLostThemWhichEndsTheSessions() {
        var adminId = accounts.admin();
        var admin = visitors.byToken(adminId);
        var hal = enrolled("Hal");
        var session = accounts.signedIn(hal.user());
        var path = "/api/v1/users/%s/second-factors".formatted(hal.user());
        assertThat(visitors.bySession(accounts.user("stranger")).delete(path).outcome())
                .isEqualTo("403 accounts.admin-only");
        assertThat(admin.delete("/api/v1/users/%s/second-factors".formatted(adminId))
                        .outcome())
                .isEqualTo("403 accounts.own-second-factors");
        assertThat(admin.delete(path).outcome()).isEqualTo("204");
        assertThat(admin.delete(path).outcome()).isEqualTo("404 accounts.second-factor-not-found");
        assertThat(accounts.sessions.list(session, Optional.empty(), 10)).isEmpty();
        accounts.sessions.logIn(client(), accounts.emailOf(hal.user()), PASSWORD);
        assertThat(accounts.audited(AuditLog.Action.SECOND_FACTORS_RESET))
                .singleElement()
                .satisfies(entry -> assertThat(entry.subject()).isEqualTo(hal.user()));
        assertThat(accounts.mails(accounts.emailOf(hal.user())).getFirst().subject())
                .isEqualTo("The second factors of your Hiroba account were removed");
    }

    @Test
    void whoHasToHaveASecondFactorCanDoNothingElseInASessionAndTokensGoOn() {
        try (var own = new TestAccounts(
                        TestAccounts.CONFIG.withSecondFactor(SecondFactor.EVERYONE), MailConfig.DEFAULT);
                var http = own.serve()) {
            var ina = own.user("Ina");
            var visitors = new Visitors(own, ApiClient.anonymous(http.port()));
            var program = visitors.byToken(ina);
            var browser = visitors.bySession(ina);
            assertThat(program.get("/api/v1/me").outcome()).isEqualTo("200");
            assertThat(browser.get("/api/v1/me").outcome()).isEqualTo("403 accounts.second-factor-not-set-up");
            assertThat(browser.with("Accept", "text/html").get("/newest").header("Location"))
                    .isEqualTo("/settings/security");
            Enrolled.in(own, ina);
            assertThat(browser.get("/api/v1/me").outcome()).isEqualTo("200");
            var factors = own.module.secondFactors();
            var caller = own.signedIn(ina);
            factors.remove(caller, factors.list(caller).factors().getFirst().id(), "");
            assertThat(browser.get("/api/v1/me").outcome()).isEqualTo("403 accounts.second-factor-not-set-up");
            assertThat(browser.delete("/api/v1/session").outcome()).isEqualTo("204");
        }
    }

    @Test
    void aSecondFactorMayBeAskedOfAdminsAlone() {
        try (var own = new TestAccounts(TestAccounts.CONFIG.withSecondFactor(SecondFactor.ADMINS), MailConfig.DEFAULT);
                var http = own.serve()) {
            var visitors = new Visitors(own, ApiClient.anonymous(http.port()));
            assertThat(visitors.bySession(own.user("Jo")).get("/api/v1/me").outcome())
                    .isEqualTo("200");
            assertThat(visitors.bySession(own.admin()).get("/api/v1/me").outcome())
                    .isEqualTo("403 accounts.second-factor-not-set-up");
        }
    }
}
