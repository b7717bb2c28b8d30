package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Throttle.Limit;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ThrottleTest {

    private static final Limit TWO_A_MINUTE = new Limit(2, Duration.ofMinutes(1));
    private static final TestDatabase DATABASE = TestDatabase.create();

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final Throttle throttle = new Throttle(DATABASE.db(), clock);

    @AfterAll
    static void close() {
        DATABASE.close();
    }

    @Test
    void whatIsOverTheLimitWaitsAndEachNameHasItsOwn() {
        assertThat(throttle.check("mail:a", TWO_A_MINUTE).allowed()).isTrue();
        assertThat(throttle.check("mail:a", TWO_A_MINUTE).allowed()).isTrue();
        var refused = throttle.check("mail:a", TWO_A_MINUTE);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(60));
        assertThatThrownBy(refused::orThrow).hasMessageContaining("60 s");
        assertThat(throttle.check("mail:b", TWO_A_MINUTE).allowed()).isTrue();
        clock.advance(Duration.ofSeconds(60));
        assertThat(throttle.check("mail:a", TWO_A_MINUTE).allowed()).isTrue();
        throttle.reset("mail:a", TWO_A_MINUTE);
        assertThat(throttle.check("mail:a", TWO_A_MINUTE).allowed()).isTrue();
    }

    @Test
    void noHourHoldsMoreThanTheLimit() {
        var limit = new Limit(100, Duration.ofHours(1));
        // Ten at once every five minutes: the first hundred are used up in 45 minutes.
        var allowed = new ArrayDeque<Instant>();
        for (int minutes = 0; minutes < 180; minutes += 5) {
            int before = allowed.size();
            for (int n = 0; n < 10; n++) {
                if (throttle.check("social:post:1", limit).allowed()) {
                    allowed.add(clock.instant());
                }
            }
            assertThat(allowed.size() - before).as("after %d minutes", minutes).isEqualTo(minutes % 60 < 50 ? 10 : 0);
            while (!allowed.isEmpty()
                    && !allowed.getFirst().isAfter(clock.instant().minus(limit.period()))) {
                allowed.removeFirst();
            }
            assertThat(allowed).hasSizeLessThanOrEqualTo(100);
            clock.advance(Duration.ofMinutes(5));
        }
    }

    @Test
    void whoComesBackWhenToldIsAllowed() {
        var limit = new Limit(3, Duration.ofHours(1));
        for (int n = 0; n < 3; n++) {
            assertThat(throttle.check("social:post:2", limit).allowed()).isTrue();
            clock.advance(Duration.ofMinutes(10));
        }
        var refused = throttle.check("social:post:2", limit);
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofMinutes(30));
        clock.advance(refused.retryAfter().minusMillis(1));
        assertThat(throttle.check("social:post:2", limit).allowed()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(throttle.check("social:post:2", limit).allowed()).isTrue();
        assertThat(throttle.check("social:post:2", limit).retryAfter()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void twoNodesShareOneLimit() throws Exception {
        try (var second = Db.open(DATABASE.config());
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var nodes = new Throttle[] {throttle, new Throttle(second, clock)};
            var limit = new Limit(10, Duration.ofHours(1));
            var checks = IntStream.range(0, 40)
                    .mapToObj(i -> callers.submit(
                            () -> nodes[i % 2].check("login:both", limit).allowed()))
                    .toList();
            int allowed = 0;
            for (var check : checks) {
                allowed += check.get() ? 1 : 0;
            }
            assertThat(allowed).isEqualTo(10);
        }
    }

    @Test
    void afterTheFirstFewEachWaitsTwiceAsLong() {
        var limit = new Limit(6, Duration.ofHours(1), 2, Duration.ofSeconds(3));
        assertThat(throttle.check("login:slow", limit).allowed()).isTrue();
        for (int seconds : new int[] {1, 2, 3, 3}) {
            assertThat(throttle.check("login:slow", limit).allowed()).isTrue();
            assertThat(throttle.check("login:slow", limit).retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
            clock.advance(Duration.ofSeconds(seconds));
        }
        assertThat(throttle.check("login:slow", limit).allowed()).isTrue();
        assertThat(throttle.check("login:slow", limit).retryAfter()).isEqualTo(Duration.ofSeconds(3600 - 9));
    }

    @Test
    void aUseThatIsTakenBackLeavesItsPlace() {
        var first = throttle.reserve("login:back", TWO_A_MINUTE);
        var second = throttle.reserve("login:back", TWO_A_MINUTE);
        assertThat(throttle.reserve("login:back", TWO_A_MINUTE).verdict().allowed())
                .isFalse();
        first.takeBack().run();
        assertThat(throttle.reserve("login:back", TWO_A_MINUTE).verdict().allowed())
                .isTrue();
        assertThat(second.verdict().allowed()).isTrue();
        assertThat(throttle.check("login:back", TWO_A_MINUTE).allowed()).isFalse();
    }

    @Test
    void namesAreNotStoredAndOldUsesAreSwept() {
        DATABASE.db()
                .useTransaction(
                        tx -> tx.update("DELETE FROM platform.throttles").execute());
        throttle.check("login:someone@example.org", TWO_A_MINUTE);
        assertThat(count("true")).isPositive();
        assertThat(count("id LIKE '%someone%'")).isZero();
        clock.advance(Duration.ofSeconds(59));
        throttle.check("login:another@example.org", TWO_A_MINUTE);
        clock.advance(Duration.ofSeconds(1));
        assertThat(throttle.sweep(1000)).isEqualTo(1);
        clock.advance(Duration.ofHours(1));
        assertThat(throttle.sweep(1000)).isPositive();
        assertThat(count("true")).isZero();
    }

    private static long count(String condition) {
        return DATABASE.db()
                .read(reads -> reads.query("SELECT count(*) FROM platform.throttles WHERE " + condition)
                        .mapTo(Long.class)
                        .one());
    }
}
