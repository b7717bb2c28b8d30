package io.hiroba.platform.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailLimitsTest {

    private static final TestDatabase database = TestDatabase.create();
    private final MailRows rows = new MailRows(database.db());

    @TempDir
    private Path folder;

    @BeforeEach
    void clear() {
        rows.clear();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private MailNode node() {
        return MailNode.intoFiles(database.config(), folder, MailConfig.DEFAULT.limits());
    }

    private static NewMail to(String address) {
        return new NewMail(address, "Code", "123456");
    }

    /** How many of the mails, sent all at once through two nodes, are accepted. */
    private int accepted(int mails, IntFunction<String> address) throws InterruptedException {
        var accepted = new AtomicInteger();
        var start = new CountDownLatch(1);
        try (var first = node();
                var second = node();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < mails; i++) {
                int n = i;
                threads.execute(() -> {
                    try {
                        start.await();
                        (n % 2 == 0 ? first : second).send(to(address.apply(n)));
                        accepted.incrementAndGet();
                    } catch (MailProblem e) {
                        assertThat(e.code()).isEqualTo("mail.too-many");
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            start.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(rows.count("true")).isEqualTo(accepted.get());
        return accepted.get();
    }

    @Test
    void ofTwentyMailsAtOnceToAnAddressTwoAreAccepted() throws InterruptedException {
        assertThat(accepted(20, n -> n % 3 == 0 ? "Ann@Example.com" : "ann@example.com"))
                .isEqualTo(2);
    }

    @Test
    void ofTwentyMailsAtOnceToADomainTenAreAccepted() throws InterruptedException {
        assertThat(accepted(20, n -> "u" + n + "@example.com")).isEqualTo(10);
    }

    @Test
    void ofManyMailsAtOnceAHundredAreAccepted() throws InterruptedException {
        assertThat(accepted(120, n -> "u@d" + n + ".example")).isEqualTo(100);
    }

    @Test
    void aRefusalSaysHowLongToWaitAndWaitingHelps() {
        try (var node = node()) {
            node.send(to("ann@example.com"));
            rows.passTime(Duration.ofSeconds(20));
            assertThat(node.mailer().admits("ann@example.com")).isTrue();
            node.send(to("ann@example.com"));
            assertThat(node.mailer().admits("ann@example.com")).isFalse();
            assertThat(node.mailer().admits("bob@example.com")).isTrue();
            assertThatExceptionOfType(MailProblem.class)
                    .isThrownBy(() -> node.send(to("ann@example.com")))
                    .satisfies(problem -> {
                        assertThat(problem.kind()).isEqualTo(Problem.Kind.RATE_LIMITED);
                        assertThat(problem.retryAfter()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40));
                        assertThat(problem.getMessage())
                                .contains(problem.retryAfter().toSeconds() + " s");
                        rows.passTime(problem.retryAfter());
                    });
            node.send(to("ann@example.com"));
        }
    }

    @Test
    void aWithheldMailCountsLikeAnyOtherAndIsNeverSent() {
        try (var node = node()) {
            node.db().useTransaction(tx -> node.mailer().withhold(tx, "nobody@example.com"));
            node.send(to("nobody@example.com"));
            assertThatExceptionOfType(MailProblem.class)
                    .isThrownBy(
                            () -> node.db().useTransaction(tx -> node.mailer().withhold(tx, "nobody@example.com")));
            assertThat(node.mailer().recent(10)).hasSize(1);
            assertThat(rows.count("withheld AND attempts = 0 AND NOT waiting")).isEqualTo(1);
        }
    }

    @Test
    void aRolledBackMailDoesNotCount() {
        try (var node = node()) {
            for (int i = 0; i < 5; i++) {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> node.db().useTransaction(tx -> {
                            node.mailer().send(tx, to("ann@example.com"));
                            throw new IllegalStateException();
                        }));
            }
            assertThat(node.mailer().admits("ann@example.com")).isTrue();
        }
    }

    @Test
    void whatMustNotGetLostIsPutOffAndCountsAllTheSame() {
        try (var node = node()) {
            node.send(to("ann@example.com"));
            node.send(to("ann@example.com"));
            node.db()
                    .useTransaction(tx -> node.mailer()
                            .sendWithoutFail(
                                    tx, new NewMail("ann@example.com", "Changed", "Your password was changed")));
            assertThat(rows.count("subject = 'Changed' AND not_before > now() + interval '30 s' AND sent_at IS NULL"))
                    .isEqualTo(1);
            assertThat(node.mailer().admits("ann@example.com")).isFalse();
            rows.passTime(Duration.ofMinutes(1));
            await().until(() -> rows.count("subject = 'Changed' AND sent_at IS NOT NULL") == 1);
        }
    }

    @Test
    void mailThatCanWaitLeavesHalfOfEachLimitToMailThatCannot() {
        try (var node = MailNode.intoFiles(database.config(), folder, new MailConfig.Limits(2, 4, 100))) {
            assertThat(sentIfRoom(node, "ann@example.com")).isTrue();
            assertThat(sentIfRoom(node, "ann@example.com"))
                    .as("of two a minute")
                    .isFalse();
            assertThat(sentIfRoom(node, "ben@example.com")).isTrue();
            assertThat(sentIfRoom(node, "carl@example.com"))
                    .as("of four a minute")
                    .isFalse();
            assertThat(sentIfRoom(node, "carl@example.org")).isTrue();
            node.send(to("ann@example.com"));
            node.send(to("dora@example.com"));
            assertThat(rows.count("true")).isEqualTo(5);
            rows.passTime(Duration.ofSeconds(61));
            assertThat(sentIfRoom(node, "carl@example.com")).isTrue();
        }
    }

    private static boolean sentIfRoom(MailNode node, String address) {
        var wait = node.db().inTransaction(tx -> node.mailer().sendIfRoom(tx, to(address)));
        wait.ifPresent(time -> assertThat(time).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(1)));
        return wait.isEmpty();
    }
}
