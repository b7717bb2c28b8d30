package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static io.hiroba.testkit.TestAccounts.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.testkit.TestAccounts;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Resetting a password and changing an address. */
class RecoveryTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final Password NEXT = new Password("battery staple");

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static void assertCode(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("accounts." + code));
    }

    @Test
    void aResetSetsThePasswordEndsAllSessionsAndTakesBackOtherCodes() {
        var user = accounts.user("Ann");
        var email = accounts.emailOf(user);
        accounts.sessions.logIn(client(), email, PASSWORD);
        var first = accounts.passwordReset.start(client(), email);
        var firstCode = accounts.codeFor(email);
        var second = accounts.passwordReset.start(client(), email);
        accounts.passwordReset.verify(client(), first, firstCode, NEXT);
        assertThat(accounts.credentials.verify(email, "battery staple")).isPresent();
        assertThat(accounts.credentials.verify(email, PASSWORD)).isEmpty();
        assertThat(accounts.sessions.list(accounts.caller(user), Optional.empty(), 10))
                .isEmpty();
        assertCode(() -> accounts.passwordReset.verify(client(), second, "000000", NEXT), "code-expired");
        assertCode(() -> accounts.passwordReset.verify(client(), first, firstCode, NEXT), "code-expired");
    }

    @Test
    void aResetForAnUnknownAddressDoesTheSameWorkAndMailsNothing() {
        var unknown = accounts.freshEmail();
        var id = accounts.passwordReset.start(client(), unknown);
        assertThat(accounts.count(
                        "SELECT count(*) FROM accounts.codes WHERE id = '%s' AND user_id IS NULL".formatted(id)))
                .isEqualTo(1);
        var known = accounts.emailOf(accounts.user("known"));
        accounts.passwordReset.start(client(), known);
        accounts.mailTo(known);
        assertThat(accounts.mails(unknown))
                .noneMatch(mail -> mail.sentAt() != null && !mail.text().isEmpty());
        assertCode(() -> accounts.passwordReset.verify(client(), id, "000000", NEXT), "code-wrong");
    }

    @Test
    void anAddressIsChangedByItsOwnerWithPasswordAndCodeAndTheFormerOneIsTold() {
        var user = accounts.user("Bob");
        var caller = accounts.caller(user);
        var former = accounts.emailOf(user);
        var next = accounts.freshEmail();
        assertCode(
                () -> accounts.emailChange.start(client(), caller, user, next, "wrong password"),
                "wrong-current-password");
        var id = accounts.emailChange.start(client(), caller, user, next, PASSWORD);
        var code = accounts.codeFor(next);
        assertThat(accounts.emailOf(user)).isEqualTo(former);
        accounts.emailChange.verify(caller, user, id, code);
        assertThat(accounts.emailOf(user)).isEqualTo(next);
        assertThat(accounts.mailTo(former).text()).contains(next.masked()).doesNotContain(next.value());
        assertThat(accounts.credentials.verify(next, PASSWORD)).isPresent();
    }

    @Test
    void nobodyChangesTheAddressOfAnotherOrWhileActing() {
        var victim = accounts.user("victim");
        var stranger = accounts.caller(accounts.user("stranger"));
        var admin = accounts.caller(accounts.admin());
        var next = accounts.freshEmail();
        assertCode(() -> accounts.emailChange.start(client(), stranger, victim, next, PASSWORD), "not-yours");
        assertCode(() -> accounts.emailChange.start(client(), admin, victim, next, PASSWORD), "not-yours");
        var acting = new Caller(victim, false, new Caller.BySession(new SessionId(1)), admin.user());
        assertCode(() -> accounts.emailChange.start(client(), acting, victim, next, PASSWORD), "acting");
        var own = accounts.emailChange.start(client(), stranger, stranger.user(), next, PASSWORD);
        var code = accounts.codeFor(next);
        assertCode(() -> accounts.emailChange.verify(accounts.caller(victim), victim, own, code), "code-expired");
    }

    @Test
    void anAddressTakenMeanwhileIsAConflictAndOneTakenBeforeLooksLikeAnyOther() {
        var user = accounts.user("Carl");
        var caller = accounts.caller(user);
        var next = accounts.freshEmail();
        var id = accounts.emailChange.start(client(), caller, user, next, PASSWORD);
        var code = accounts.codeFor(next);
        accounts.user(next, "faster", false);
        assertCode(() -> accounts.emailChange.verify(caller, user, id, code), "email-taken");
        var other = accounts.emailOf(accounts.user("other"));
        accounts.emailChange.start(client(), caller, user, other, PASSWORD);
        assertThat(accounts.mailTo(other).text()).contains("account with this address already");
    }

    @Test
    void anAccountWithoutAPasswordGetsItsFirstFromASessionThatWasConfirmedLately() {
        var user = accounts.db.inTransaction(tx ->
                accounts.users.create(tx, accounts.freshEmail(), Nickname.parse("Oda"), PasswordHash.NONE, false));
        var caller = accounts.signedIn(user);
        var token = new Caller(user, false, new Caller.ByToken(new TokenId(1)), null);
        assertCode(
                () -> accounts.passwordChange.change(token, user, Optional.of("whatever it is"), NEXT, true),
                "password-required");
        accounts.clock.advance(Sessions.CONFIRMED_FOR.plusSeconds(1));
        assertCode(
                () -> accounts.passwordChange.change(caller, user, Optional.empty(), NEXT, true), "password-required");
        accounts.passwordChange.change(accounts.signedIn(user), user, Optional.empty(), NEXT, true);
        assertThat(accounts.credentials.verify(user, NEXT.typed())).isPresent();
        assertCode(
                () -> accounts.passwordChange.change(
                        accounts.signedIn(user), user, Optional.empty(), new Password("another horse"), true),
                "wrong-current-password");
    }

    @Test
    void adminsAreToldOfManyWrongPasswordsOnceAnHourAndOfEachNewAdmin() {
        try (var own = new TestAccounts(TestAccounts.CONFIG.withAlertFailures(5), MailConfig.DEFAULT)) {
            var admin = own.admin();
            var email = own.emailOf(admin);
            var victim = own.user("victim");
            for (int guess = 0; guess < 5; guess++) {
                own.module.alerts().failed();
            }
            assertThat(own.mails(email)).isEmpty();
            assertCode(() -> own.sessions.logIn(client(), own.emailOf(victim), "a wrong guess"), "wrong-password");
            assertThat(own.mailTo(email).subject()).isEqualTo("Many failed log-ins to Hiroba");
            own.module.alerts().failed();
            assertThat(own.mails(email)).hasSize(1);

            var profile = UserUpdate.of(own.users.profile(victim));
            var promoted = profile.with(profile.nickname(), true, null);
            own.users.update(own.caller(admin), victim, promoted, tx -> {});
            assertThat(own.mailTo(email).subject()).isEqualTo("victim is now an admin of Hiroba");
            assertThat(own.mails(own.emailOf(victim))).isEmpty();
        }
    }

    @Test
    void noCodeOutlivesAChangeOfPasswordOrAddress() {
        var admin = accounts.caller(accounts.admin());
        for (var change : List.<Consumer<UserId>>of(
                user -> accounts.passwordChange.change(admin, user, Optional.of(PASSWORD), NEXT, true),
                user -> accounts.users.update(
                        admin,
                        user,
                        new UserUpdate(Nickname.parse("x"), "", null, null, null, null, null, accounts.freshEmail()),
                        tx -> {}))) {
            var user = accounts.user("Dan");
            var email = accounts.emailOf(user);
            var next = accounts.freshEmail();
            var reset = accounts.passwordReset.start(client(), email);
            var resetCode = accounts.codeFor(email);
            var move = accounts.emailChange.start(client(), accounts.caller(user), user, next, PASSWORD);
            var moveCode = accounts.codeFor(next);
            change.accept(user);
            assertCode(() -> accounts.passwordReset.verify(client(), reset, resetCode, NEXT), "code-expired");
            assertCode(() -> accounts.emailChange.verify(accounts.caller(user), user, move, moveCode), "code-expired");
        }
    }

    @Test
    void aResetEndsTheTokensTooAndTheOwnerIsTold() {
        var user = accounts.user("Eli");
        var email = accounts.emailOf(user);
        accounts.tokens.create(accounts.signedIn(user), new NewToken("laptop", null));
        var id = accounts.passwordReset.start(client(), email);
        accounts.passwordReset.verify(client(), id, accounts.codeFor(email), NEXT);
        assertThat(accounts.tokens.list(accounts.caller(user), Optional.empty(), 10))
                .isEmpty();
        assertThat(accounts.mails(email)).anyMatch(mail -> mail.subject().contains("password was changed"));
    }
}
