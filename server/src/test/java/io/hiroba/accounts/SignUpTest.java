package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.client;
import static io.hiroba.testkit.TestAccounts.otherThan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.SignUpRules.SignUpMode;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.mail.MailProblem;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SignUpTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final SignUp signUp = accounts.signUp;
    private static final Nickname NICKNAME = Nickname.parse("Ann");
    private static final Password SECRET = new Password("correct horse");
    private static final SignUp.Preferences NONE = new SignUp.Preferences(null, null);

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

    private static List<String> outcomes(List<Callable<?>> acts) throws InterruptedException {
        var outcomes = new ArrayList<String>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var future : executor.invokeAll(new ArrayList<Callable<Object>>(
                    acts.stream().<Callable<Object>>map(act -> act::call).toList()))) {
                try {
                    future.get();
                    outcomes.add("done");
                } catch (ExecutionException e) {
                    outcomes.add(e.getCause() instanceof AccountsProblem problem ? problem.code() : String.valueOf(e));
                }
            }
        }
        return outcomes;
    }

    @Test
    void theMailedCodeMakesTheAccountOnce() {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        var user = signUp.verify(id, " " + code + " ", NICKNAME, SECRET, NONE);
        assertThat(accounts.users.profile(user).user().email()).isEqualTo(email);
        assertThat(accounts.users.profile(user).user().admin()).isFalse();
        assertThat(accounts.credentials.verify(email, "correct horse")).isPresent();
        assertCode(() -> signUp.verify(id, code, NICKNAME, SECRET, NONE), "code-expired");
    }

    @Test
    void theCodeIsStoredAsAHashAndInNoOtherForm() {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        assertThat(accounts.count(
                        "SELECT count(*) FROM accounts.codes c WHERE id = '%s' AND (email || code_hash::text) LIKE '%%%s%%'"
                                .formatted(id, code)))
                .isZero();
        assertThat(new VerificationCode(code).toString()).doesNotContain(code);
    }

    @Test
    void aCodeRunsOutAfterTenMinutes() {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        accounts.clock.advance(Duration.ofMinutes(10).minusMillis(1));
        assertCode(() -> signUp.verify(id, otherThan(code), NICKNAME, SECRET, NONE), "code-wrong");
        accounts.clock.advance(Duration.ofMillis(1));
        assertCode(() -> signUp.verify(id, code, NICKNAME, SECRET, NONE), "code-expired");
        accounts.module.codes().sweep();
        assertThat(accounts.count("SELECT count(*) FROM accounts.codes WHERE id = '%s'".formatted(id)))
                .isZero();
    }

    @Test
    void fiveWrongCodesAreTheLastEvenForTheRightOne() {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        for (int i = 0; i < 5; i++) {
            assertCode(() -> signUp.verify(id, otherThan(code), NICKNAME, SECRET, NONE), "code-wrong");
        }
        assertCode(() -> signUp.verify(id, code, NICKNAME, SECRET, NONE), "too-many-attempts");
    }

    @Test
    void aCodeIsReadInTheDigitsOfAnInputMethodAndWithSpaces() {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        for (int i = 0; i < 6; i++) {
            assertCode(() -> signUp.verify(id, code.substring(1), NICKNAME, SECRET, NONE), "invalid");
        }
        var typed = new StringBuilder("\u3000");
        code.chars().forEach(digit -> typed.append((char) (digit - '0' + '０')));
        typed.insert(4, " ");
        var user = signUp.verify(id, typed.toString(), NICKNAME, SECRET, NONE);
        assertThat(accounts.users.profile(user).user().email()).isEqualTo(email);
    }

    @Test
    void guessesAtOnceAreCountedOneByOne() throws InterruptedException {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var wrong = otherThan(accounts.codeFor(email));
        Callable<?> guess = () -> signUp.verify(id, wrong, NICKNAME, SECRET, NONE);
        var outcomes = outcomes(Collections.nCopies(40, guess));
        assertThat(Collections.frequency(outcomes, "accounts.code-wrong")).isEqualTo(5);
        assertThat(Collections.frequency(outcomes, "accounts.too-many-attempts"))
                .isEqualTo(35);
    }

    @Test
    void whoeverVerifiesFirstGetsTheAddress() throws InterruptedException {
        var email = accounts.freshEmail();
        var one = signUp.start(client(), email);
        var codeOne = accounts.codeFor(email);
        var two = signUp.start(client(), email);
        org.awaitility.Awaitility.await()
                .until(() -> accounts.mails(email).stream()
                                .filter(mail -> mail.sentAt() != null)
                                .count()
                        == 2);
        var codeTwo = accounts.codeFor(email);
        assertThat(outcomes(List.of(
                        () -> signUp.verify(one, codeOne, NICKNAME, SECRET, NONE),
                        () -> signUp.verify(two, codeTwo, NICKNAME, SECRET, NONE))))
                .containsExactlyInAnyOrder("done", "accounts.email-taken");
    }

    @Test
    void oneCodeUsedTwiceAtOnceMakesOneAccount() throws InterruptedException {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        Callable<?> verify = () -> signUp.verify(id, code, NICKNAME, SECRET, NONE);
        var outcomes = outcomes(Collections.nCopies(2, verify));
        assertThat(Collections.frequency(outcomes, "done")).isEqualTo(1);
    }

    @Test
    void anAddressWithAnAccountGetsTheSameAnswerAndALetterThatSaysSo() {
        var known = accounts.emailOf(accounts.user("known"));
        var id = signUp.start(client(), known);
        assertThat(accounts.mailTo(known).text())
                .contains("account with this address already")
                .doesNotContainPattern("\\d{6}");
        assertThat(accounts.count("SELECT count(*) FROM accounts.codes WHERE id = '%s'".formatted(id)))
                .as("the same work is done")
                .isEqualTo(1);
        assertCode(() -> signUp.verify(id, "000000", NICKNAME, SECRET, NONE), "code-wrong");
    }

    @Test
    void aCodeIsGoodForItsPurposeOnly() {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        assertCode(() -> accounts.passwordReset.verify(client(), id, code, SECRET), "code-expired");
        assertCode(() -> CodeId.parse("1-1-1-1-1"), "code-expired");
        assertCode(() -> CodeId.parse("x".repeat(36)), "code-expired");
    }

    @Test
    void mailsAreLimitedForKnownAndUnknownAddressesAlike() {
        try (var own = new TestAccounts(TestAccounts.CONFIG, MailConfig.DEFAULT)) {
            var known = own.emailOf(own.user("known"));
            for (var email : List.of(known, own.freshEmail())) {
                own.passwordReset.start(client(), email);
                own.passwordReset.start(client(), email);
                assertThatThrownBy(() -> own.passwordReset.start(client(), email))
                        .isInstanceOfSatisfying(
                                MailProblem.class,
                                problem -> assertThat(problem.retryAfter()).isPositive());
            }
        }
    }

    @Test
    void signUpsAreLimitedByClientAndCodesByAddress() {
        assertThat(AccountsConfig.DEFAULT.limits().signUpsPerHour()).isEqualTo(100);
        var limits = new AccountsConfig.Limits(4, 2, 100, 100);
        var mail = MailConfig.DEFAULT.withLimits(new MailConfig.Limits(1000, 1000, 1000));
        try (var own = new TestAccounts(TestAccounts.CONFIG.withLimits(limits), mail)) {
            var email = own.freshEmail();
            own.signUp.start(client(), email);
            own.signUp.start(client(), email);
            assertCode(() -> own.signUp.start(client(), email), "too-often");
            own.signUp.start(client(), own.freshEmail());
            assertCode(() -> own.signUp.start(client(), own.freshEmail()), "too-often");
            own.clock.advance(Duration.ofHours(1));
            own.signUp.start(client(), email);
        }
    }

    private static SignUp with(SignUpMode mode, String... domains) {
        var rules = new SignUpRules(mode, List.of(domains), false);
        var invitations = accounts.module.invitations();
        return new SignUp(
                accounts.db,
                accounts.users,
                accounts.credentials,
                accounts.module.audit(),
                accounts.module.codes(),
                TestAccounts.CONFIG.withSignUp(rules),
                invitations);
    }

    @Test
    void whereThereIsANoticeNobodySignsUpWithoutConsentWhichIsKept() {
        var url = "https://square.example/privacy";
        try (var own = new TestAccounts(TestAccounts.CONFIG.withNoticeUrl(url), MailConfig.DEFAULT)) {
            var email = own.freshEmail();
            var id = own.signUp.start(client(), email);
            var code = own.codeFor(email);
            assertCode(() -> own.signUp.verify(id, code, NICKNAME, SECRET, NONE), "invalid");
            assertThat(own.users.findByEmail(email)).isEmpty();
            var user = own.signUp.verify(id, code, NICKNAME, SECRET, new SignUp.Preferences(null, null, true));
            assertThat(own.count("SELECT count(*) FROM accounts.consents WHERE user_id = %d AND notice_url = '%s'"
                            .formatted(user.value(), url)))
                    .isEqualTo(1);
            try (var http = own.serve()) {
                assertThat(ApiClient.anonymous(http.port())
                                .get("/api/v1/signup")
                                .text("noticeUrl"))
                        .isEqualTo(url);
            }
        }
    }

    @Test
    void whereSignUpIsClosedOrByInvitationNoAddressGetsACode() {
        var known = accounts.emailOf(accounts.user("known"));
        for (var email : List.of(known, accounts.freshEmail())) {
            assertCode(() -> with(SignUpMode.CLOSED).start(client(), email), "sign-up-closed");
            assertCode(() -> with(SignUpMode.INVITATION).start(client(), email), "invitation-required");
            assertThat(accounts.mails(email)).isEmpty();
        }
    }

    @Test
    void whereSignUpIsByDomainItsAddressesAloneGetACode() {
        var byDomain = with(SignUpMode.DOMAIN, "Example.ORG", "bücher.example");
        for (var foreign : List.of("ann@example.com", "ann@sub.example.org", "ann@notexample.org")) {
            assertCode(() -> byDomain.start(client(), Email.parse(foreign)), "invalid");
        }
        byDomain.start(client(), Email.parse("ann@bücher.example"));
        var email = accounts.freshEmail();
        var id = byDomain.start(client(), email);
        assertThat(byDomain.verify(id, accounts.codeFor(email), NICKNAME, SECRET, NONE))
                .isNotNull();
        assertThatThrownBy(() -> with(SignUpMode.DOMAIN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCodeFromBeforeSignUpWasClosedMakesNoAccount() {
        var email = accounts.freshEmail();
        var id = signUp.start(client(), email);
        var code = accounts.codeFor(email);
        assertCode(() -> with(SignUpMode.CLOSED).verify(id, code, NICKNAME, SECRET, NONE), "sign-up-closed");
    }
}
