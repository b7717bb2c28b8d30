package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Throttle.Limit;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
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
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(30));
        assertThatThrownBy(refused::orThrow).hasMessageContaining("30 s");
        assertThat(throttle.check("mail:b", TWO_A_MINUTE).allowed()).isTrue();
        clock.advance(Duration.ofSeconds(30));
        assertThat(throttle.check("mail:a", TWO_A_MINUTE).allowed()).isTrue();
        throttle.reset("mail:a", TWO_A_MINUTE);
        assertThat(throttle.check("mail:a", TWO_A_MINUTE).allowed()).isTrue();
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
    void namesAreNotStoredAndFullBucketsAreSwept() {
        throttle.check("login:someone@example.org", TWO_A_MINUTE);
        assertThat(count("true")).isPositive();
        assertThat(count("id LIKE '%someone%'")).isZero();
        // Rows end by the system's clock, which bucket4j's sweeping reads.
        DATABASE.db()
                .useTransaction(tx -> tx.update("UPDATE platform.throttles SET expires_at = 1")
                        .execute());
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
