package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.Suspensions.NewSuspension;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SuspensionsTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final HttpServer server = accounts.serve();
    private static final ApiClient anonymous = ApiClient.anonymous(server.port());
    private static final Visitors visitors = new Visitors(accounts, anonymous);
    private static final Suspensions suspensions = accounts.module.suspensions();
    private static final UserId adminId = accounts.admin();
    private static final ApiClient admin = visitors.byToken(adminId);
    private static final NewSuspension FOR_GOOD = new NewSuspension("", null, false);

    @AfterAll
    static void close() {
        server.close();
        accounts.close();
    }

    private static String path(UserId user, String act) {
        return "/api/v1/users/" + user.hex() + act;
    }

    private static String suspend(UserId user, String body) {
        return admin.post(path(user, "/suspend"), body).outcome();
    }

    private static String logIn(UserId user, String password) {
        return anonymous
                .post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(accounts.emailOf(user), password))
                .outcome();
    }

    @Test
    void theSuspendedAreOutAtOnceAndTheirTokensWorkAgainWhenRestored() {
        var user = accounts.user("Suspended");
        var session = visitors.bySession(user);
        var token = visitors.byToken(user);
        assertThat(session.get("/api/v1/me").outcome()).isEqualTo("200");
        assertThat(token.get("/api/v1/me").outcome()).isEqualTo("200");

        assertThat(suspend(user, "{'reason':' spam '}")).isEqualTo("204");
        assertThat(session.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(token.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(logIn(user, "wrong password")).isEqualTo("401 accounts.wrong-password");
        assertThat(logIn(user, TestAccounts.PASSWORD)).isEqualTo("403 accounts.suspended");
        assertThat(anonymous
                        .post("/api/v1/tokens", "{%s,'name':'x'}".formatted(visitors.credentials(user)))
                        .outcome())
                .isEqualTo("403 accounts.suspended");
        // Any other way to be authenticated ends where a session begins.
        assertThatThrownBy(() -> accounts.sessions.begin(TestAccounts.client(), user))
                .isInstanceOf(AccountsProblem.class);
        var shown = admin.get(path(user, "")).json().path("suspension");
        assertThat(shown.path("reason").asString()).isEqualTo("spam");
        assertThat(shown.path("byId").asString()).isEqualTo(adminId.hex());
        assertThat(shown.path("until").isNull()).isTrue();
        assertThat(visitors.byToken(accounts.user("Other"))
                        .get(path(user, ""))
                        .json()
                        .path("suspension")
                        .isNull())
                .isTrue();

        assertThat(admin.post(path(user, "/restore"), "").outcome()).isEqualTo("204");
        assertThat(session.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(token.get("/api/v1/me").outcome()).isEqualTo("200");
        assertThat(logIn(user, TestAccounts.PASSWORD)).isEqualTo("201");
        assertThat(admin.get(path(user, "")).json().path("suspension").isNull()).isTrue();
        assertThat(accounts.module.audit().list(accounts.caller(adminId), Optional.empty(), 100))
                .filteredOn(entry -> user.equals(entry.subject()))
                .extracting(AuditEntry::action)
                .containsSubsequence(Action.USER_RESTORED, Action.USER_SUSPENDED);
    }

    @Test
    void tokensOfTheSuspendedAreNobodysOverGrpcToo() {
        var user = accounts.user("Caller");
        var token = anonymous
                .post("/api/v1/tokens", "{%s,'name':'grpc'}".formatted(visitors.credentials(user)))
                .text("token");
        var headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        var callers = accounts.module.grpcAuthentication();
        assertThat(callers.user(headers)).contains(RateLimiter.byToken(user.hex()));
        assertThat(suspend(user, "")).isEqualTo("204");
        assertThat(callers.user(headers)).isEmpty();
        assertThat(admin.post(path(user, "/restore"), "").outcome()).isEqualTo("204");
        assertThat(callers.user(headers)).contains(RateLimiter.byToken(user.hex()));
    }

    @Test
    void aPasswordResetDoesNotLeadPastASuspension() {
        var user = accounts.user("Reset");
        var email = accounts.emailOf(user);
        assertThat(suspend(user, "")).isEqualTo("204");
        var code = accounts.passwordReset.start(TestAccounts.client(), email);
        accounts.passwordReset.verify(
                TestAccounts.client(), code, accounts.codeFor(email), new Password("battery staple"));
        assertThat(logIn(user, "battery staple")).isEqualTo("403 accounts.suspended");
    }

    @Test
    void tokensThatWereEndedStayEnded() {
        var user = accounts.user("Tokenless");
        var token = visitors.byToken(user);
        assertThat(suspend(user, "{'endTokens':true}")).isEqualTo("204");
        assertThat(admin.post(path(user, "/restore"), "").outcome()).isEqualTo("204");
        assertThat(token.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void aSuspensionWithAnEndIsOverThenByItself() {
        var user = accounts.user("Later");
        var token = visitors.byToken(user);
        var until = accounts.clock.instant().plus(Duration.ofDays(2));
        assertThat(suspend(user, "{'until':'%s'}".formatted(until))).isEqualTo("204");
        assertThat(anonymous
                        .post("/api/v1/session", "{%s}".formatted(visitors.credentials(user)))
                        .text("detail"))
                .startsWith("This account is suspended until 20")
                .endsWith(" UTC.");
        accounts.clock.advance(Duration.ofDays(2));
        assertThat(token.get("/api/v1/me").outcome()).isEqualTo("200");
        assertThat(logIn(user, TestAccounts.PASSWORD)).isEqualTo("201");
        assertThat(admin.post(path(user, "/restore"), "").outcome()).isEqualTo("409 accounts.not-suspended");
    }

    @Test
    void whoMayNotAndWhatCannotBeIsRefused() {
        var user = accounts.user("Target");
        var other = visitors.byToken(accounts.user("Member"));
        for (var act : List.of("/suspend", "/restore")) {
            assertThat(anonymous.post(path(user, act), "").outcome()).isEqualTo("401 accounts.not-signed-in");
            assertThat(other.post(path(user, act), "").outcome()).isEqualTo("403 accounts.admin-only");
            assertThat(admin.post("/api/v1/users/0000000000000001" + act, "").outcome())
                    .isEqualTo("404 accounts.user-not-found");
        }
        assertThat(other.get(path(user, "/sessions")).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(suspend(adminId, "")).isEqualTo("409 accounts.own-suspension");
        assertThat(suspend(user, "{'until':'2020-01-01T00:00:00Z'}")).isEqualTo("400 accounts.invalid");
        assertThat(suspend(user, "{'until':'+99999-01-01T00:00:00Z'}")).startsWith("400");
        assertThat(suspend(user, "{'reason':'%s'}".formatted("x".repeat(501)))).isEqualTo("400 accounts.invalid");
        var acting = new Caller(accounts.admin(), true, new Caller.BySession(new SessionId(1)), adminId);
        assertThatThrownBy(() -> suspensions.suspend(acting, user, FOR_GOOD)).isInstanceOf(AccountsProblem.class);
        assertThat(suspend(user, "")).isEqualTo("204");
        assertThatThrownBy(() -> accounts.sessions.switchUser(accounts.signedIn(adminId), user))
                .hasMessageContaining("nobody can act as it");
    }

    @Test
    void ofTwoAdminsWhoSuspendEachOtherOneStays() throws Exception {
        try (var own = new TestAccounts();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = own.admin();
            var second = own.admin();
            var acts = List.of(
                    threads.submit(() -> own.module.suspensions().suspend(own.caller(first), second, FOR_GOOD)),
                    threads.submit(() -> own.module.suspensions().suspend(own.caller(second), first, FOR_GOOD)));
            for (var act : acts) {
                try {
                    act.get();
                } catch (ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(AccountsProblem.class);
                }
            }
            var standing = own.db.read(new Admins()::all);
            assertThat(standing).hasSize(1);
            // The suspended one does not count: the other cannot go.
            var last = own.caller(standing.getFirst());
            assertThatThrownBy(() -> own.users.delete(last, last.user())).hasMessageContaining("last admin");
            var suspended = first.equals(last.user()) ? second : first;
            own.users.delete(last, suspended);
            assertThat(own.users.find(suspended)).isEmpty();
        }
    }

    @Test
    void noSessionThatBeginsMeanwhileSurvives() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 5; round++) {
                var user = accounts.user("Racer");
                var begun = new CountDownLatch(3);
                var racing = threads.submit(() -> {
                    while (true) {
                        accounts.sessions.begin(TestAccounts.client(), user);
                        begun.countDown();
                    }
                });
                begun.await();
                suspensions.suspend(accounts.caller(adminId), user, FOR_GOOD);
                assertThatThrownBy(racing::get).hasCauseInstanceOf(AccountsProblem.class);
                assertThat(accounts.count("SELECT count(*) FROM accounts.sessions WHERE user_id = " + user.value()))
                        .isZero();
            }
        }
    }

    @Test
    void anAdminEndsASessionOfSomebodyElse() {
        var user = accounts.user("Watched");
        var session = visitors.bySession(user);
        var listed = admin.get(path(user, "/sessions")).json().path("items");
        assertThat(listed).hasSize(1);
        var id = listed.get(0).path("id").asString();
        assertThat(visitors.byToken(accounts.user("Curious"))
                        .delete(path(user, "/sessions/" + id))
                        .outcome())
                .isEqualTo("403 accounts.not-yours");
        assertThat(admin.delete(path(user, "/sessions/" + id)).outcome()).isEqualTo("204");
        assertThat(session.get("/api/v1/me").outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(admin.delete(path(user, "/sessions/" + id)).outcome()).isEqualTo("404 accounts.session-not-found");
        assertThat(accounts.module.audit().list(accounts.caller(adminId), Optional.empty(), 100))
                .filteredOn(entry -> user.equals(entry.subject()))
                .extracting(AuditEntry::action)
                .contains(Action.SESSION_ENDED);
    }
}
