package io.hiroba.platform.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.id.IdGenerator.Grant;
import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.SettableClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class IdGeneratorTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00.123Z");

    private static IdGenerator unbounded(Clock clock, int worker) {
        return new IdGenerator(clock, until -> new Grant(worker, 0, Long.MAX_VALUE >>> 20));
    }

    @Test
    void anIdIsMillisecondsThenWorkerThenSequence() {
        var ids = unbounded(new SettableClock(START), 0xAB);
        assertThat(ids.next()).isEqualTo(START.toEpochMilli() << 20 | 0xABL << 12);
        assertThat(ids.next()).isEqualTo(START.toEpochMilli() << 20 | 0xABL << 12 | 1);
    }

    @Test
    void hexIsSixteenUpperCaseDigitsInTheOrderOfTime() {
        assertThat(Ids.hex(0x198C2E846EE00000L)).isEqualTo("198C2E846EE00000");
        assertThat(Ids.hex(1)).isEqualTo("0000000000000001");
        assertThat(Ids.parse("198c2e846ee00000")).isEqualTo(0x198C2E846EE00000L);
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long a = random.nextLong() >>> 1;
            long b = random.nextLong() >>> 1;
            assertThat(Ids.parse(Ids.hex(a))).isEqualTo(a);
            assertThat(Integer.signum(Ids.hex(a).compareTo(Ids.hex(b)))).isEqualTo(Long.compare(a, b));
        }
    }

    @Test
    void whatIsNotAnIdIsRefusedWithASentence() {
        for (var bad :
                new String[] {"", "1", "198C2E846EE0000", "198C2E846EE000000", "G98C2E846EE00000", "-198C2E846EE0000"
                }) {
            assertThatThrownBy(() -> Ids.parse(bad)).isInstanceOf(Problem.class).hasMessageContaining("16 hex digits");
        }
        assertThatThrownBy(() -> Ids.parse("F98C2E846EE00000")).isInstanceOf(Problem.class);
    }

    @Test
    void theMomentOfCreationIsInTheId() {
        var ids = unbounded(new SettableClock(START), 7);
        assertThat(Ids.createdAt(ids.next())).isEqualTo(START);
        assertThat(ids.next()).isGreaterThan(Ids.lowestAt(START)).isLessThan(Ids.lowestAt(START.plusMillis(1)));
    }

    @Test
    void aClockThatGoesBackNeverRepeatsAnId() {
        var clock = new SettableClock(START) {
            @Override
            public long millis() {
                advance(Duration.ofNanos(500)); // time passes while somebody waits for it
                return super.millis();
            }
        };
        var ids = unbounded(clock, 1);
        var random = new Random(42);
        long previous = 0;
        for (int i = 0; i < 50_000; i++) {
            if (random.nextInt(100) == 0) {
                clock.advance(Duration.ofMillis(random.nextLong(-3_600_000, 1000)));
            }
            long next = ids.next();
            assertThat(next).isGreaterThan(previous);
            previous = next;
        }
    }

    @Test
    void anExhaustedMillisecondIsWaitedOut() throws InterruptedException {
        var clock = new SettableClock(START);
        var ids = unbounded(clock, 1);
        for (int i = 0; i < 4096; i++) {
            assertThat(Ids.createdAt(ids.next())).isEqualTo(START);
        }
        var drawn = new ArrayList<Long>();
        var waiting = Thread.ofPlatform().start(() -> drawn.add(ids.next()));
        assertThat(waiting.join(Duration.ofMillis(50))).isFalse();
        clock.advance(Duration.ofMillis(1));
        waiting.join();
        assertThat(Ids.createdAt(drawn.getFirst())).isEqualTo(START.plusMillis(1));
    }

    @Test
    void threadsThatSeeTheClockDifferentlyDoNotRunAheadOfIt() throws InterruptedException {
        var ids = unbounded(Clock.systemUTC(), 3);
        try (var executor = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                executor.execute(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        ids.next();
                    }
                });
            }
        }
        assertThat(Ids.createdAt(ids.next())).isBeforeOrEqualTo(Instant.now().plusMillis(1));
    }

    @Test
    void manyThreadsDrawDistinctIds() throws InterruptedException {
        var ids = unbounded(Clock.systemUTC(), 3);
        var seen = ConcurrentHashMap.<Long>newKeySet();
        try (var executor = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                executor.execute(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        seen.add(ids.next());
                    }
                });
            }
        }
        assertThat(seen).hasSize(160_000);
    }

    @Test
    void nothingIsIssuedPastTheCeilingWithoutAnotherGrant() {
        var clock = new SettableClock(START);
        long ms = START.toEpochMilli();
        var grants = new ArrayList<Grant>();
        grants.add(new Grant(5, 0, ms + 10));
        var ids = new IdGenerator(clock, until -> {
            if (grants.isEmpty()) {
                throw new IllegalStateException("the lease is lost");
            }
            return grants.removeFirst();
        });
        ids.next();
        clock.advance(Duration.ofMillis(10));
        ids.next();
        clock.advance(Duration.ofMillis(1));
        assertThatThrownBy(ids::next).hasMessage("the lease is lost");
        grants.add(new Grant(9, ms + 5000, ms + 9000));
        assertThat(Ids.createdAt(ids.next()).toEpochMilli())
                .as("above all that the number's former holder may have issued")
                .isEqualTo(ms + 5001);
    }
}
