package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.Sessions.StartedSession;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SessionsTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final Sessions sessions = accounts.sessions;

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static StartedSession logIn(UserId user) {
        return sessions.logIn(TestAccounts.client(), accounts.emailOf(user), TestAccounts.PASSWORD);
    }

    private static Optional<Caller> open(StartedSession signedIn) {
        return sessions.resolve(new BearerSecret(signedIn.secret()));
    }

    private static Caller caller(StartedSession signedIn) {
        return open(signedIn).orElseThrow();
    }

    private static void assertCode(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("accounts." + code));
    }

    @Test
    void theRightPasswordBeginsASessionWhoseSecretIsNotStored() {
        var user = accounts.user("Ann");
        var signedIn = logIn(user);
        assertThat(caller(signedIn).user()).isEqualTo(user);
        assertThat(signedIn.toString()).doesNotContain(signedIn.secret());
        assertThat(accounts.count("SELECT count(*) FROM accounts.sessions s WHERE s::text LIKE '%"
                        + signedIn.secret().substring(4) + "%'"))
                .isZero();
        assertThat(sessions.resolve(new BearerSecret("hrs_" + "A".repeat(43)))).isEmpty();
        assertThat(sessions.resolve(new BearerSecret(""))).isEmpty();
    }

    @Test
    void anUnknownAddressAndAWrongPasswordGetOneAnswer() {
        var user = accounts.user("Bob");
        assertCode(
                () -> sessions.logIn(TestAccounts.client(), accounts.emailOf(user), "wrong password"),
                "wrong-password");
        assertCode(
                () -> sessions.logIn(TestAccounts.client(), accounts.freshEmail(), "wrong password"), "wrong-password");
    }

    @Test
    void aSessionEndsWhenUnusedAndLivesOnWhenUsed() {
        try (var own = new TestAccounts()) {
            var user = own.user("Carl");
            var signedIn = own.sessions.logIn(TestAccounts.client(), own.emailOf(user), TestAccounts.PASSWORD);
            var secret = new BearerSecret(signedIn.secret());
            own.clock.advance(Duration.ofDays(29));
            assertThat(own.sessions.resolve(secret)).isPresent();
            Awaitility.await()
                    .until(() -> own.count("""
                    SELECT count(*) FROM accounts.sessions WHERE expires_at > '%s'
                    """.formatted(own.clock.instant().plus(Duration.ofDays(29)))) == 1);
            own.clock.advance(Duration.ofDays(29));
            assertThat(own.sessions.resolve(secret)).isPresent();
            Awaitility.await()
                    .until(() -> own.count("""
                    SELECT count(*) FROM accounts.sessions WHERE expires_at > '%s'
                    """.formatted(own.clock.instant().plus(Duration.ofDays(29)))) == 1);
            own.clock.advance(Duration.ofDays(30));
            assertThat(own.sessions.resolve(secret)).isEmpty();
            assertThat(own.sessions.list(own.caller(user), Optional.empty(), 10))
                    .isEmpty();
            own.sessions.sweep();
            assertThat(own.count("SELECT count(*) FROM accounts.sessions")).isZero();
        }
    }

    @Test
    void aSessionThatIsUsedEveryDayEndsNinetyDaysAfterItsLogInAllTheSame() {
        try (var own = new TestAccounts()) {
            var user = own.user("Carl");
            var signedIn = own.sessions.logIn(TestAccounts.client(), own.emailOf(user), TestAccounts.PASSWORD);
            var secret = new BearerSecret(signedIn.secret());
            for (int use = 1; use <= 3; use++) {
                own.clock.advance(Duration.ofDays(28));
                assertThat(own.sessions.resolve(secret)).isPresent();
                var now = own.clock.instant();
                Awaitility.await().until(() -> own.count("""
                        SELECT count(*) FROM accounts.sessions WHERE last_used_at >= '%s'
                        """.formatted(now.minusMillis(1))) == 1);
            }
            own.clock.advance(Duration.ofDays(5));
            assertThat(own.sessions.resolve(secret)).isPresent();
            assertThat(own.sessions.list(own.caller(user), Optional.empty(), 1))
                    .singleElement()
                    .satisfies(session -> assertThat(session.expiresAt())
                            .isEqualTo(session.createdAt().plus(Duration.ofDays(90))));
            own.clock.advance(Duration.ofDays(1).plusMinutes(1));
            assertThat(own.sessions.resolve(secret)).isEmpty();
        }
    }

    @Test
    void aSessionFromBeforeItsEndWasBroughtForwardIsRefused() {
        try (var own = new TestAccounts()) {
            var user = own.user("Carl");
            var signedIn = own.sessions.logIn(TestAccounts.client(), own.emailOf(user), TestAccounts.PASSWORD);
            own.db.useTransaction(
                    tx -> tx.update("UPDATE accounts.sessions SET expires_at = expires_at + interval '1 year'")
                            .execute());
            own.clock.advance(Duration.ofDays(91));
            assertThat(own.sessions.resolve(new BearerSecret(signedIn.secret())))
                    .isEmpty();
        }
    }

    @Test
    void theLastUseIsNotedAtMostOnceAMinute() {
        var user = accounts.user("Dora");
        var signedIn = logIn(user);
        open(signedIn);
        var first =
                sessions.list(caller(signedIn), Optional.empty(), 1).getFirst().lastUsedAt();
        accounts.clock.advance(Duration.ofSeconds(59));
        open(signedIn);
        assertThat(sessions.list(caller(signedIn), Optional.empty(), 1)
                        .getFirst()
                        .lastUsedAt())
                .isEqualTo(first);
        accounts.clock.advance(Duration.ofSeconds(2));
        var caller = caller(signedIn);
        Awaitility.await()
                .until(() -> sessions.list(caller, Optional.empty(), 1)
                        .getFirst()
                        .lastUsedAt()
                        .isAfter(first));
    }

    @Test
    void ownersListAndEndTheirSessionsAndNobodyElses() {
        var user = accounts.user("Eve");
        var one = logIn(user);
        var two = logIn(user);
        var stranger = caller(logIn(accounts.user("Mallory")));
        assertThat(sessions.list(caller(one), Optional.empty(), 10))
                .extracting(UserSession::id)
                .containsExactly(two.session(), one.session());
        assertThat(sessions.list(caller(one), Optional.of(two.session()), 10))
                .extracting(UserSession::id)
                .containsExactly(one.session());
        assertCode(() -> sessions.revoke(stranger, one.session()), "session-not-found");
        sessions.revoke(caller(two), one.session());
        assertThat(open(one)).isEmpty();
        sessions.logOut(caller(two));
        assertThat(open(two)).isEmpty();
    }

    @Test
    void logInsAreListedForNinetyDaysAlsoWhenTheirSessionsHaveEnded() {
        try (var own = new TestAccounts()) {
            var user = own.user("Edda");
            var caller = own.caller(user);
            var email = own.emailOf(user);
            var first = own.sessions.logIn(TestAccounts.client(), email, TestAccounts.PASSWORD);
            own.sessions.revoke(caller, first.session());
            var second = own.sessions.logIn(at("198.51.100.7"), email, TestAccounts.PASSWORD);
            assertCode(() -> own.sessions.logIn(TestAccounts.client(), email, "guess guess"), "wrong-password");
            assertThat(own.sessions.logIns(caller, Optional.empty(), 10))
                    .extracting(Sessions.LogIn::id, Sessions.LogIn::address)
                    .containsExactly(tuple(second.session(), "198.51.100.7"), tuple(first.session(), "192.0.2.1"));
            assertThat(own.sessions.logIns(caller, Optional.of(second.session()), 10))
                    .hasSize(1);
            assertThat(own.sessions.logIns(own.caller(own.user("Other")), Optional.empty(), 10))
                    .isEmpty();
            own.clock.advance(Duration.ofDays(91));
            own.sessions.sweep();
            assertThat(own.sessions.logIns(caller, Optional.empty(), 10)).isEmpty();
        }
    }

    @Test
    void changingThePasswordEndsTheOtherSessions() {
        var user = accounts.user("Finn");
        var here = logIn(user);
        var there = logIn(user);
        var next = new Password("battery staple");
        assertCode(
                () -> accounts.passwordChange.change(caller(here), user, Optional.of("wrong"), next, true),
                "wrong-current-password");
        assertCode(
                () -> accounts.passwordChange.change(caller(here), user, Optional.empty(), next, true),
                "wrong-current-password");
        accounts.passwordChange.change(caller(here), user, Optional.of(TestAccounts.PASSWORD), next, true);
        assertThat(open(here)).isPresent();
        assertThat(open(there)).isEmpty();
        assertCode(() -> logIn(user), "wrong-password");
    }

    @Test
    void anAdminSetsAnothersPasswordWithoutKnowingItAndOthersMayNot() {
        var user = accounts.user("Gina");
        var signedIn = logIn(user);
        var next = new Password("battery staple");
        var stranger = accounts.caller(accounts.user("Mallory"));
        assertCode(
                () -> accounts.passwordChange.change(stranger, user, Optional.of(TestAccounts.PASSWORD), next, true),
                "not-yours");
        var admin = accounts.signedIn(accounts.admin());
        accounts.passwordChange.change(admin, user, Optional.empty(), next, true);
        assertThat(open(signedIn)).isEmpty();
        assertThat(accounts.credentials.verify(user, "battery staple")).isPresent();
    }

    @Test
    void aPasswordVerifiedBeforeItWasChangedOpensNothing() {
        var user = accounts.user("Hugo");
        var verified = accounts.credentials.verify(user, TestAccounts.PASSWORD).orElseThrow();
        accounts.passwordChange.change(
                accounts.signedIn(accounts.admin()), user, Optional.empty(), new Password("battery staple"), true);
        assertThat(accounts.db.<Boolean>inTransaction(tx -> accounts.credentials.stillHolds(tx, verified)))
                .isFalse();
    }

    @Test
    void aHashWithOldParametersIsRenewedAtSignIn() {
        var user = accounts.user("Iris");
        var stronger = new Credentials(accounts.db, new Passwords(new AccountsConfig.Hashing(128, 2, 1, 2)), 8);
        assertThat(stronger.verify(user, "wrong password")).isEmpty();
        var before = accounts.credentials.verify(user, TestAccounts.PASSWORD).orElseThrow();
        var renewed = stronger.verify(user, TestAccounts.PASSWORD).orElseThrow();
        assertThat(renewed.hash()).isNotEqualTo(before.hash());
        assertThat(renewed.hash().encoded()).contains("m=128,t=2");
        assertThat(stronger.verify(user, TestAccounts.PASSWORD)).hasValue(renewed);
        assertThat(accounts.db.<Boolean>inTransaction(tx -> stronger.stillHolds(tx, renewed)))
                .isTrue();
    }

    @Test
    void anAdminActsAsAnotherWithThatUsersRightsOnlyAndOnRecord() {
        var admin = accounts.admin();
        var user = accounts.user("Jane");
        var before = logIn(admin);
        var acting = sessions.switchUser(caller(before), user);
        assertThat(open(before)).as("the cookie from before").isEmpty();
        var caller = caller(acting);
        assertThat(caller.user()).isEqualTo(user);
        assertThat(caller.admin()).isFalse();
        assertThat(caller.realAdmin()).isEqualTo(admin);
        var update = new UserUpdate(Nickname.parse("x"), "", null, null, null, null, null, null);
        assertCode(() -> accounts.users.update(caller, admin, update), "not-yours");
        assertCode(() -> accounts.tokens.create(caller, new NewToken("t", null)), "acting");
        assertCode(
                () -> accounts.passwordChange.change(
                        caller, user, Optional.of(TestAccounts.PASSWORD), new Password("battery staple"), true),
                "acting");
        var back = sessions.switchUser(caller, admin);
        assertThat(caller(back).admin()).isTrue();
        assertThat(caller(back).acting()).isFalse();
        assertThat(accounts.module.audit().list(caller(back), Optional.empty(), 2))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::subject)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(Action.USER_SWITCHED_BACK, admin, user),
                        org.assertj.core.groups.Tuple.tuple(Action.USER_SWITCHED, admin, user));
    }

    @Test
    void onlyAnAdminWithASessionSwitchesAndOnlyToSomebodyWhoExists() {
        var user = accounts.user("Kim");
        assertCode(() -> sessions.switchUser(caller(logIn(user)), accounts.admin()), "admin-only");
        var admin = caller(logIn(accounts.admin()));
        assertCode(() -> sessions.switchUser(admin, new UserId(42)), "user-not-found");
        var byToken = new Caller(admin.user(), true, new Caller.ByToken(new io.hiroba.accounts.TokenId(1)), null);
        assertCode(() -> sessions.switchUser(byToken, user), "session-required");
    }

    @Test
    void anAdminWhoIsNoLongerOneStopsActing() {
        var admin = accounts.admin();
        var acting = sessions.switchUser(caller(logIn(admin)), accounts.user("Lee"));
        var demoted = new UserUpdate(Nickname.parse("x"), "", null, null, null, null, false, null);
        accounts.users.update(accounts.caller(accounts.admin()), admin, demoted, tx -> {});
        assertThat(open(acting)).isEmpty();
    }

    private static ClientInfo at(String address) {
        return new ClientInfo(address, address, "", Language.ENGLISH);
    }

    /** The wrong passwords that were tried at an account within an hour, one every ten seconds from {@code addresses} in turn. */
    private static int guessesInAnHour(TestAccounts own, Email account, int addresses) {
        int guesses = 0;
        for (int i = 0; i < 360; i++) {
            var from = at("192.0.2." + i % addresses);
            try {
                own.sessions.logIn(from, account, "guess guess");
            } catch (AccountsProblem refusal) {
                assertThat(refusal.code()).isIn("accounts.wrong-password", "accounts.too-many-failures");
                guesses += refusal.code().equals("accounts.wrong-password") ? 1 : 0;
            }
            own.clock.advance(Duration.ofSeconds(10));
        }
        return guesses;
    }

    @Test
    void anAccountTakesAHundredGuessesAnHourAndAFifthOfThemFromOneAddress() {
        var limits = new AccountsConfig.Limits(100, 10, 1000, 100);
        try (var own = new TestAccounts(TestAccounts.CONFIG.withLimits(limits), MailConfig.DEFAULT)) {
            var victim = own.emailOf(own.user("victim"));
            assertThat(guessesInAnHour(own, victim, 1)).isBetween(15, 20);
            own.sessions.logIn(at("198.51.100.7"), victim, TestAccounts.PASSWORD);
            assertThat(guessesInAnHour(own, victim, 200)).isBetween(80, 100);
            isTried(own, at("192.0.2.250"), victim);
            assertCode(
                    () -> own.sessions.logIn(at("198.51.100.7"), victim, TestAccounts.PASSWORD), "too-many-failures");
            var nobody = own.freshEmail();
            assertThat(guessesInAnHour(own, nobody, 200))
                    .as("an unknown address")
                    .isBetween(80, 100);
            isTried(own, at("192.0.2.250"), nobody);
            assertCode(
                    () -> own.sessions.logIn(at("198.51.100.7"), nobody, TestAccounts.PASSWORD), "too-many-failures");
        }
    }

    @Test
    void guessesAtOnceAreCountedOneByOneAndRightPasswordsAreNot() throws Exception {
        var limits = new AccountsConfig.Limits(100, 10, 1000, 25);
        try (var own = new TestAccounts(TestAccounts.CONFIG.withLimits(limits), MailConfig.DEFAULT);
                var guessers = Executors.newVirtualThreadPerTaskExecutor()) {
            var victim = own.emailOf(own.user("victim"));
            for (int i = 0; i < 30; i++) {
                own.sessions.logIn(at("198.51.100.7"), victim, TestAccounts.PASSWORD);
            }
            var guesses = IntStream.range(0, 40)
                    .mapToObj(i -> guessers.submit(() -> isTried(own, at("192.0.2." + i), victim)))
                    .toList();
            int tried = 0;
            for (var guess : guesses) {
                tried += guess.get() ? 1 : 0;
            }
            assertThat(tried).as("then there is a delay").isEqualTo(5);
        }
    }

    private static boolean isTried(TestAccounts own, ClientInfo client, Email account) {
        try {
            own.sessions.logIn(client, account, "guess guess");
            throw new AssertionError("a guess was right");
        } catch (AccountsProblem refusal) {
            return refusal.code().equals("accounts.wrong-password");
        }
    }

    @Test
    void whoHasJustSignedUpNeedsNoOtherCheck() {
        var user = accounts.user("Mia");
        assertThat(caller(sessions.begin(TestAccounts.client(), user)).user()).isEqualTo(user);
    }
}
