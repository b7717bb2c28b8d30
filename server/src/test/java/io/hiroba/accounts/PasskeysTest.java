package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static io.hiroba.testkit.TestAccounts.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Passkeys.PasskeyAnswer;
import io.hiroba.accounts.SecondFactors.Factor;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestPlatform;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Passkeys of an authenticator that can be made to misbehave; SecondFactorPagesTest has them in a browser. */
class PasskeysTest {

    private static final String ORIGIN = "http://localhost:8080";

    private static final TestAccounts accounts = new TestAccounts();
    private static final AccountsModule here = accounts.module;
    private static final AccountsModule elsewhere = node("");

    @AfterAll
    static void close() {
        accounts.close();
    }

    /** One more node on the same database. */
    private static AccountsModule node(String publicUrl) {
        var http = HttpConfig.onFreePort().withPublicUrl(publicUrl);
        return new AccountsModule(
                TestPlatform.of(
                        accounts.db,
                        accounts.database.config(),
                        accounts.lease.ids(),
                        accounts.clock,
                        accounts.mailer,
                        http),
                TestAccounts.CONFIG);
    }

    private static void assertCode(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("accounts." + code));
    }

    private static List<String> add(Caller caller, SoftPasskey passkey) {
        var challenge = here.passkeys().startRegistration(ORIGIN, caller);
        return elsewhere.passkeys().finishRegistration(ORIGIN, caller, passkey.create(challenge), " Phone ");
    }

    /** Somebody who is signed in and has this passkey. */
    private static Caller owner(String nickname, SoftPasskey passkey) {
        var caller = accounts.signedIn(accounts.user(nickname));
        add(caller, passkey);
        return caller;
    }

    private static SoftPasskey passkey() {
        return new SoftPasskey(ORIGIN, "localhost");
    }

    private static UserId logIn(PasskeyAnswer answer) {
        return elsewhere.logInSteps().logIn(ORIGIN, client(), answer).user();
    }

    @Test
    void aPasskeyThatWasAddedOnOneNodeLogsInOnAnotherAndIsASecondFactor() {
        var passkey = passkey();
        var caller = accounts.signedIn(accounts.user("Ann"));
        assertThat(add(caller, passkey)).hasSize(10);
        assertThat(here.secondFactors().list(caller).factors())
                .singleElement()
                .satisfies(factor -> assertThat(factor.name()).isEqualTo("Phone"))
                .extracting(Factor::lastUsedAt)
                .isNull();
        var again = here.passkeys().startRegistration(ORIGIN, caller);
        assertThat(again.options()).contains(passkey.id());
        assertThat(add(caller, passkey())).as("codes are there already").isEmpty();

        assertThat(logIn(passkey.get(here.passkeys().startLogIn(ORIGIN)))).isEqualTo(caller.user());
        assertThat(here.secondFactors().list(caller).factors().getFirst().lastUsedAt())
                .isNotNull();

        var email = accounts.emailOf(caller.user());
        assertCode(() -> accounts.sessions.logIn(client(), email, PASSWORD), "second-factor-required");
        var pending = here.logInSteps().start(client(), email, PASSWORD).pending();
        assertThat(here.logInSteps().accepted(pending)).hasValue(new LogInSteps.Accepted(false, true));
        var answer = passkey.get(here.logInSteps().startPasskey(ORIGIN, pending));
        assertThat(elsewhere
                        .logInSteps()
                        .complete(ORIGIN, client(), pending, answer)
                        .user())
                .isEqualTo(caller.user());
        assertThat(here.logInSteps().accepted(pending)).isEmpty();
    }

    @Test
    void anAnswerIsGoodOnceInTimeForItsPurposeAndItsPerson() {
        var passkey = passkey();
        var owner = owner("Bob", passkey);
        var passkeys = here.passkeys();
        var once = passkey.get(passkeys.startLogIn(ORIGIN));
        logIn(once);
        assertCode(() -> logIn(once), "passkey-refused");

        var late = passkey.get(passkeys.startLogIn(ORIGIN));
        accounts.clock.advance(Duration.ofMinutes(5));
        assertCode(() -> logIn(late), "passkey-refused");
        passkeys.sweep();
        assertThat(accounts.count("SELECT count(*) FROM accounts.passkey_challenges WHERE purpose = 'log-in'"))
                .isZero();

        assertCode(() -> logIn(passkey.get(passkeys.startConfirmation(ORIGIN, owner))), "passkey-refused");
        var stranger = accounts.signedIn(accounts.user("stranger"));
        var confirmation = passkey.get(passkeys.startConfirmation(ORIGIN, owner));
        assertCode(() -> passkeys.confirm(ORIGIN, stranger, confirmation), "passkey-refused");
        var ofAnother = passkey.get(passkeys.startConfirmation(ORIGIN, stranger));
        assertCode(() -> passkeys.confirm(ORIGIN, stranger, ofAnother), "passkey-refused");
        var registration = passkeys.startRegistration(ORIGIN, owner);
        assertCode(
                () -> passkeys.finishRegistration(ORIGIN, stranger, passkey().create(registration), "x"),
                "passkey-not-added");

        accounts.clock.advance(Sessions.CONFIRMED_FOR);
        assertThat(accounts.sessions.isConfirmed(owner)).isFalse();
        assertCode(() -> add(owner, passkey()), "password-required");
        passkeys.confirm(ORIGIN, owner, passkey.get(passkeys.startConfirmation(ORIGIN, owner)));
        assertThat(accounts.sessions.isConfirmed(owner)).isTrue();
    }

    @Test
    void signaturesOfAnotherSiteOfNobodyInParticularOrOfACopyAreRefused() {
        var passkey = passkey();
        var owner = owner("Carl", passkey);
        var passkeys = here.passkeys();
        passkey.origin = "http://localhost.evil.example";
        assertCode(() -> logIn(passkey.get(passkeys.startLogIn(ORIGIN))), "passkey-refused");
        passkey.origin = ORIGIN;
        passkey.verifiesPerson = false;
        assertCode(() -> logIn(passkey.get(passkeys.startLogIn(ORIGIN))), "passkey-refused");
        passkey.verifiesPerson = true;
        assertCode(() -> logIn(new PasskeyAnswer(passkeys.startLogIn(ORIGIN).id(), "{}")), "passkey-refused");
        assertCode(() -> logIn(new PasskeyAnswer("", "")), "passkey-refused");
        assertThat(logIn(passkey.get(passkeys.startLogIn(ORIGIN)))).isEqualTo(owner.user());
        passkey.counter -= 2;
        assertCode(() -> logIn(passkey.get(passkeys.startLogIn(ORIGIN))), "passkey-copied");

        var unverified = passkey();
        unverified.verifiesPerson = false;
        assertCode(() -> add(owner, unverified), "passkey-not-added");
        var taken = passkey();
        owner("Dan", taken);
        assertCode(() -> add(owner, taken), "passkey-not-added");
    }

    @Test
    void aPasskeyThatWasRemovedOrWhoseAccountIsBeingDeletedLogsInNoMore() {
        var passkey = passkey();
        var owner = owner("Eve", passkey);
        var id = here.secondFactors().list(owner).factors().getFirst().id();
        here.secondFactors().remove(owner, id, "");
        assertCode(() -> logIn(passkey.get(here.passkeys().startLogIn(ORIGIN))), "passkey-refused");

        var next = passkey();
        add(owner, next);
        accounts.db.useTransaction(tx -> accounts.users.close(tx, owner, owner.user()));
        assertCode(() -> logIn(next.get(here.passkeys().startLogIn(ORIGIN))), "passkey-refused");
    }

    @ParameterizedTest
    @CsvSource({
        "'', http://localhost:8080, true",
        "'', http://square.localhost, true",
        "'', http://127.0.0.1:8080, false",
        "'', http://[::1]:8080, false",
        "'', https://square.example, false",
        "'', 'http://local host', false",
        "https://square.example, http://127.0.0.1:8080, true",
        "https://192.0.2.1, https://192.0.2.1, false",
        "http://square.example, http://square.example, false",
        "http://localhost:8080, http://localhost:8080, true"
    })
    void passkeysAreOfTheSiteThatIsSetOrOfLocalhost(String publicUrl, String requested, boolean isAvailable) {
        var sites = new RelyingParties(accounts.db, accounts.users, publicUrl);
        assertThat(sites.of(requested).isPresent()).isEqualTo(isAvailable);
    }
}
