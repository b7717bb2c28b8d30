package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.FirstAdmin.Result;
import io.hiroba.testkit.TestAccounts;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FirstAdminTest {

    private static final AdminConfig NOBODY = new AdminConfig("", "");
    private static final AdminConfig NAMED = new AdminConfig("Boss@Example.org", "battery staple");

    private final TestAccounts accounts = new TestAccounts();
    private final FirstAdmin firstAdmin = accounts.module.firstAdmin();

    @AfterEach
    void close() {
        accounts.close();
    }

    private boolean signsIn(Email email, String password) {
        return accounts.credentials.verify(email, password).isPresent();
    }

    @Test
    void theAdminThatTheConfigurationNamesIsMade() {
        var outcome = firstAdmin.ensure(NAMED);
        assertThat(outcome.created()).isTrue();
        assertThat(outcome.generated()).isEmpty();
        assertThat(signsIn(new Email("boss@example.org"), "battery staple")).isTrue();
    }

    @Test
    void aPasswordAloneIsThatOfTheUsualAddress() {
        var outcome = firstAdmin.ensure(new AdminConfig("", "battery staple"));
        assertThat(outcome.email().value()).isEqualTo("admin@hiroba.local");
        assertThat(outcome.generated()).isEmpty();
        assertThat(signsIn(outcome.email(), "battery staple")).isTrue();
    }

    @Test
    void anAccountWithoutTheRightIsLeftAsItIsAndStopsTheStart() {
        var boss = accounts.user(new Email("boss@example.org"), "Boss", false);
        assertThatThrownBy(() -> firstAdmin.ensure(NAMED))
                .isInstanceOf(AccountsProblem.class)
                .hasMessageContaining("boss@example.org, the address of a user who is no admin");
        assertThat(signsIn(new Email("boss@example.org"), "battery staple")).isFalse();
        assertThat(signsIn(new Email("boss@example.org"), TestAccounts.PASSWORD))
                .isTrue();
        assertThat(accounts.users.profile(boss).user().admin()).isFalse();
    }

    @Test
    void withoutConfigurationAPasswordIsMadeUpAndToldOnce() {
        var outcome = firstAdmin.ensure(NOBODY);
        assertThat(outcome.email().value()).isEqualTo("admin@hiroba.local");
        assertThat(signsIn(outcome.email(), outcome.generated().orElseThrow().typed()))
                .isTrue();
        var again = firstAdmin.ensure(NOBODY);
        assertThat(again).isEqualTo(new Result(outcome.email(), false, java.util.Optional.empty()));
        assertThat(outcome.toString())
                .doesNotContain(outcome.generated().orElseThrow().typed());
    }

    @Test
    void whereThereIsAnAdminNoneIsMadeUp() {
        var admin = accounts.admin();
        var outcome = firstAdmin.ensure(NOBODY);
        assertThat(outcome.created()).isFalse();
        assertThat(outcome.email()).isEqualTo(accounts.emailOf(admin));
    }

    @Test
    void nodesThatStartTogetherMakeOneBetweenThem() throws InterruptedException, ExecutionException {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Result> start = () -> firstAdmin.ensure(NOBODY);
            int made = 0;
            for (var outcome : executor.invokeAll(Collections.nCopies(6, start))) {
                made += outcome.get().created() ? 1 : 0;
            }
            assertThat(made).isEqualTo(1);
        }
        assertThat(accounts.count("SELECT count(*) FROM accounts.users")).isEqualTo(1);
    }

    @Test
    void aConfigurationThatCannotBeMeantStopsTheStart() {
        for (var wrong : List.of(List.of("boss", ""), List.of("a@b.c", "short"), List.of("", "short"))) {
            assertThatThrownBy(() -> new AdminConfig(wrong.get(0), wrong.get(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("short");
        }
        assertThat(NAMED.toString()).doesNotContain("battery");
    }

    @Test
    void aPasswordThatIsEasyToGuessStopsTheStart() {
        assertThatThrownBy(() -> firstAdmin.ensure(new AdminConfig("boss@example.org", "password")))
                .isInstanceOf(AccountsProblem.class)
                .hasMessageContaining("`admin.password` is too common");
        assertThat(accounts.count("SELECT count(*) FROM accounts.users")).isZero();
    }

    @Test
    void anAdminWhoMovedOrWasDeletedDoesNotComeBackWithTheOldPassword() {
        var other = accounts.admin();
        var outcome = firstAdmin.ensure(NAMED);
        assertThat(outcome).isEqualTo(new Result(accounts.emailOf(other), false, java.util.Optional.empty()));
        assertThat(signsIn(new Email("boss@example.org"), "battery staple")).isFalse();
    }

    @Test
    void whoIsNamedButNoAdminIsNotTakenForOne() {
        accounts.user(new Email("boss@example.org"), "Boss", false);
        var other = accounts.admin();
        assertThat(firstAdmin.ensure(NAMED).email()).isEqualTo(accounts.emailOf(other));
        accounts.user(new Email("chief@example.org"), "Chief", true);
        assertThat(firstAdmin.ensure(new AdminConfig("chief@example.org", "")).email())
                .isEqualTo(new Email("chief@example.org"));
    }
}
