package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Tokens.IssuedToken;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.mail.RecentMail;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TokensTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final Tokens tokens = accounts.tokens;
    private static final NewToken NAMED = new NewToken("laptop", null);

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static Optional<Caller> open(IssuedToken issued) {
        return tokens.resolve(new BearerSecret(issued.secret()));
    }

    private static void assertCode(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("accounts." + code));
    }

    @Test
    void aChangeOfPasswordEndsTheTokensUnlessTheOwnerKeepsThem() {
        var user = accounts.user("Tove");
        var caller = accounts.signedIn(user);
        var next = new Password("battery staple");
        var kept = tokens.create(caller, NAMED);
        accounts.passwordChange.change(caller, user, Optional.of(TestAccounts.PASSWORD), next, false);
        assertThat(open(kept)).isPresent();
        accounts.passwordChange.change(caller, user, Optional.of("battery staple"), next, true);
        assertThat(open(kept)).isEmpty();
        assertThat(accounts.mailTo(accounts.emailOf(user)).subject()).isEqualTo("Your Hiroba password was changed");
    }

    @Test
    void anAdminWhoSetsAPasswordEndsAllTokensAndSessionsWhateverIsAsked() {
        var user = accounts.user("Vigdis");
        var issued = tokens.create(accounts.signedIn(user), NAMED);
        accounts.passwordChange.change(
                accounts.signedIn(accounts.admin()), user, Optional.empty(), new Password("battery staple"), false);
        assertThat(open(issued)).isEmpty();
        assertThat(accounts.count("SELECT count(*) FROM accounts.sessions WHERE user_id = " + user.value()))
                .isZero();
    }

    @Test
    void aSessionOfAWhileAgoTakesThePasswordAgain() {
        try (var own = new TestAccounts()) {
            var user = own.user("Wilma");
            var caller = own.signedIn(user);
            own.tokens.create(caller, NAMED);
            own.clock.advance(Duration.ofMinutes(11));
            assertThat(own.sessions.isConfirmed(caller)).isFalse();
            assertCode(() -> own.tokens.create(caller, NAMED), "password-required");
            assertCode(
                    () -> own.emailChange.start(TestAccounts.client(), caller, user, own.freshEmail(), ""),
                    "password-required");
            assertCode(() -> own.sessions.confirm(caller, "guess guess"), "wrong-current-password");
            own.sessions.confirm(caller, TestAccounts.PASSWORD);
            own.tokens.create(caller, NAMED);
            own.emailChange.start(TestAccounts.client(), caller, user, own.freshEmail(), "");
            own.clock.advance(Duration.ofMinutes(9));
            own.tokens.create(caller, NAMED);
        }
    }

    @Test
    void aTokenIsRecognisableOpensTheAccountAndIsStoredAsAHashOnly() {
        var user = accounts.user("Ann");
        var issued = tokens.create(accounts.signedIn(user), NAMED);
        assertThat(issued.secret()).matches("hrb_[A-Za-z0-9_-]{43}");
        assertThat(open(issued).orElseThrow().user()).isEqualTo(user);
        assertThat(issued.toString()).doesNotContain(issued.secret());
        assertThat(accounts.count("SELECT count(*) FROM accounts.api_tokens WHERE octet_length(secret_hash) <> 32"))
                .isZero();
    }

    @Test
    void aProgramThatKnowsThePasswordGetsOne() {
        var email = accounts.emailOf(accounts.user("Bob"));
        var issued = tokens.create(TestAccounts.client(), email, TestAccounts.PASSWORD, NAMED);
        assertThat(open(issued)).isPresent();
        assertCode(() -> tokens.create(TestAccounts.client(), email, "wrong password", NAMED), "wrong-password");
    }

    @Test
    void aTokenCannotMakeAnother() {
        var user = accounts.user("Carl");
        var byToken = new Caller(user, false, new Caller.ByToken(new TokenId(1)), null);
        assertCode(() -> tokens.create(byToken, NAMED), "session-required");
    }

    @Test
    void aTokenEndsWhenItsTimeIsOver() {
        var caller = accounts.signedIn(accounts.user("Dora"));
        var soon = accounts.clock.instant().plus(Duration.ofHours(1));
        var issued = tokens.create(caller, new NewToken("short", soon));
        assertThat(open(issued)).isPresent();
        accounts.clock.advance(Duration.ofHours(1));
        assertThat(open(issued)).isEmpty();
        assertCode(() -> tokens.create(caller, new NewToken("late", soon)), "invalid");
    }

    @Test
    void ownersListAndRevokeTheirTokensAndNobodyElses() {
        var caller = accounts.signedIn(accounts.user("Eve"));
        var stranger = accounts.signedIn(accounts.user("Mallory"));
        var one = tokens.create(caller, NAMED);
        var two = tokens.create(caller, NAMED);
        assertThat(tokens.list(caller, Optional.empty(), 10))
                .extracting(ApiToken::id)
                .containsExactly(two.token().id(), one.token().id());
        assertThat(tokens.list(stranger, Optional.empty(), 10)).isEmpty();
        assertCode(() -> tokens.revoke(stranger, one.token().id()), "token-not-found");
        tokens.revoke(caller, one.token().id());
        assertThat(open(one)).isEmpty();
        assertThat(open(two)).isPresent();
        assertCode(() -> tokens.revoke(caller, one.token().id()), "token-not-found");
    }

    @Test
    void nobodyHoardsTokens() {
        var caller = accounts.signedIn(accounts.user("Finn"));
        for (int i = 0; i < Tokens.MAX_PER_USER; i++) {
            tokens.create(caller, NAMED);
        }
        assertCode(() -> tokens.create(caller, NAMED), "too-many-tokens");
    }

    @Test
    void aNameIsOneLine() {
        for (var name : new String[] {"", "  ", "a\nb", "a\u202Eb", "x".repeat(101)}) {
            assertCode(() -> new NewToken(name, null), "invalid");
        }
        assertCode(() -> new NewToken("x", Instant.MAX), "invalid");
    }

    @Test
    void tokensThatHaveRunOutDoNotCountAndAreSwept() {
        try (var own = new TestAccounts()) {
            var caller = own.signedIn(own.user("Gus"));
            var soon = new NewToken("short", own.clock.instant().plus(Duration.ofHours(1)));
            for (int i = 0; i < Tokens.MAX_PER_USER; i++) {
                own.tokens.create(caller, soon);
            }
            own.clock.advance(Duration.ofHours(1));
            own.sessions.confirm(caller, TestAccounts.PASSWORD);
            own.tokens.create(caller, NAMED);
            own.module.tokenReminders().run();
            assertThat(own.tokens.list(caller, Optional.empty(), 200)).hasSize(1);
        }
    }

    @Test
    void anActingAdminRevokesNothing() {
        var user = accounts.user("Hal");
        var issued = tokens.create(accounts.signedIn(user), NAMED);
        var acting =
                new Caller(user, false, new Caller.BySession(new io.hiroba.accounts.SessionId(1)), accounts.admin());
        assertCode(() -> tokens.revoke(acting, issued.token().id()), "acting");
        assertThat(open(issued)).isPresent();
    }

    @Test
    void aSessionThatHasEndedMakesNoToken() {
        var user = accounts.user("Ann");
        var caller = accounts.signedIn(user);
        accounts.sessions.logOut(caller);
        assertCode(() -> tokens.create(caller, NAMED), "session-required");
    }

    @Test
    void anOwnerIsTold7DaysBeforeATokenExpiresAndWhenItHasOnceEachByTwoNodesAtOnce() throws Exception {
        try (var own = new TestAccounts()) {
            var ann = own.user("Ann");
            var email = own.emailOf(ann);
            var now = own.clock.instant();
            own.tokens.create(own.signedIn(ann), new NewToken("deploy", now.plus(Duration.ofDays(30))));
            own.tokens.create(own.signedIn(ann), new NewToken("for an hour", now.plus(Duration.ofHours(1))));
            own.tokens.create(own.signedIn(ann), new NewToken("for good", null));
            own.clock.advance(Duration.ofDays(22));
            assertThat(subjects(own, email)).isEmpty();
            own.clock.advance(Duration.ofDays(1).plusSeconds(1));
            assertThat(subjects(own, email))
                    .containsExactly("“deploy” is about to expire: an API token of your Hiroba account");
            own.clock.advance(Duration.ofDays(6));
            assertThat(subjects(own, email)).hasSize(1);
            own.clock.advance(Duration.ofDays(1));
            assertThat(subjects(own, email))
                    .hasSize(2)
                    .contains("“deploy” has expired: an API token of your Hiroba account");
            assertThat(own.tokens.list(own.caller(ann), Optional.empty(), 10)).hasSize(1);
        }
    }

    /** The mails after two nodes have run at once. */
    private static List<String> subjects(TestAccounts own, Email email) throws Exception {
        Callable<Boolean> node = () -> {
            own.module.tokenReminders().run();
            return true;
        };
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : nodes.invokeAll(Collections.nCopies(2, node))) {
                assertThat(done.get()).isTrue();
            }
        }
        return own.mails(email).stream().map(RecentMail::subject).toList();
    }

    @Test
    void anAdminIsConfirmedBeforeTheyChangeHowOthersSignIn() {
        try (var own = new TestAccounts()) {
            var adminId = own.admin();
            var admin = own.signedIn(adminId);
            var user = own.user("Moe");
            var next = new Password("battery staple");
            var token = own.tokens
                    .create(own.signedIn(user), new NewToken("t", null))
                    .token();
            var profile = UserUpdate.of(own.users.profile(user));
            var promoted = profile.with(profile.nickname(), true, null);
            own.clock.advance(Sessions.CONFIRMED_FOR.plusSeconds(1));
            var byToken = new Caller(adminId, true, new Caller.ByToken(new TokenId(1)), null);
            var none = own.sessions.confirmAdmin(admin, "");
            assertCode(() -> own.passwordChange.change(admin, user, Optional.empty(), next, true), "password-required");
            assertCode(() -> own.users.update(admin, user, promoted, none), "password-required");
            assertCode(() -> own.module.secondFactors().reset(admin, user, ""), "password-required");
            assertCode(() -> own.tokens.revokeOf(admin, user, token.id(), none), "password-required");
            assertCode(
                    () -> own.passwordChange.change(admin, user, Optional.of("wrong guess"), next, true),
                    "wrong-current-password");
            assertThat(own.users.profile(user).user().admin()).isFalse();
            assertThat(own.credentials.verify(user, TestAccounts.PASSWORD)).isPresent();

            own.users.update(byToken, user, promoted, own.sessions.confirmAdmin(byToken, ""));
            assertThat(own.users.profile(user).user().admin()).isTrue();
            own.sessions.confirm(admin, TestAccounts.PASSWORD);
            own.tokens.revokeOf(admin, user, token.id(), own.sessions.confirm(admin, ""));
            own.passwordChange.change(admin, user, Optional.empty(), next, true);
        }
    }
}
