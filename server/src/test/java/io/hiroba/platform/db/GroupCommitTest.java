package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupCommitTest {

    private final List<List<Integer>> batches = new ArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    @Test
    void whatComesWhileAWriteIsUnderWayGoesTogether() {
        try (var commits = new GroupCommit<Integer, Integer>("test", 1, 100, this::write);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = CompletableFuture.supplyAsync(() -> commits.write(0), threads);
            var coming = new CountDownLatch(49);
            var others = IntStream.range(1, 50)
                    .mapToObj(n -> CompletableFuture.supplyAsync(
                            () -> {
                                coming.countDown();
                                return commits.write(n);
                            },
                            threads))
                    .toList();
            await().until(() -> coming.getCount() == 0);
            gate.countDown();
            assertThat(first.join()).isZero();
            for (int n = 1; n < 50; n++) {
                assertThat(others.get(n - 1).join()).isEqualTo(-n);
            }
        }
        assertThat(batches.stream().mapToInt(List::size).sum()).isEqualTo(50);
        assertThat(batches).hasSizeLessThan(50);
    }

    @Test
    void writersTakeTurnsSoThatMoreGoesTogether() {
        var underWay = new AtomicInteger();
        var most = new AtomicInteger();
        Function<List<Integer>, List<Integer>> write = items -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            LockSupport.parkNanos(100_000);
            underWay.decrementAndGet();
            return items;
        };
        try (var commits = new GroupCommit<>("test", 2, 100, write, Duration.ofMinutes(1));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writes = IntStream.range(0, 200)
                    .mapToObj(n -> CompletableFuture.supplyAsync(() -> commits.write(n), threads))
                    .toList();
            for (int n = 0; n < 200; n++) {
                assertThat(writes.get(n).join()).isEqualTo(n);
            }
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void aWriteThatHasToWaitHoldsUpNoOther() {
        var underWay = new CountDownLatch(1);
        Function<List<Integer>, List<Integer>> write = items -> {
            if (items.contains(0)) {
                underWay.countDown();
                return write(items);
            }
            return items;
        };
        try (var commits = new GroupCommit<>("test", 2, 100, write);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var held = CompletableFuture.supplyAsync(() -> commits.write(0), threads);
            await().until(() -> underWay.getCount() == 0);
            assertThat(commits.write(1)).isEqualTo(1);
            assertThat(held).isNotDone();
            gate.countDown();
            assertThat(held.join()).isZero();
        }
    }

    @Test
    void oneThatCannotBeWrittenFailsAlone() {
        try (var commits = new GroupCommit<Integer, Integer>("test", 1, 100, items -> {
                    if (items.contains(13)) {
                        throw new IllegalArgumentException("unlucky");
                    }
                    return write(items);
                });
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writes = IntStream.range(10, 20)
                    .mapToObj(n -> CompletableFuture.supplyAsync(() -> commits.write(n), threads))
                    .toList();
            gate.countDown();
            assertThatThrownBy(() -> writes.get(3).join()).hasRootCauseMessage("unlucky");
            assertThat(writes.get(4).join()).isEqualTo(-14);
        }
    }

    @Test
    void whereTheDatabaseIsAwayNothingIsTriedAgain() {
        var tried = new AtomicBoolean();
        try (var commits = new GroupCommit<Integer, Integer>("test", 1, 100, items -> {
            assertThat(tried.getAndSet(true)).isFalse();
            throw new DbException(new SQLException("gone", "08006"));
        })) {
            assertThatThrownBy(() -> commits.write(1)).isInstanceOf(DbException.class);
        }
    }

    @Test
    void whatComesAfterTheEndIsRefused() {
        gate.countDown();
        var commits = new GroupCommit<Integer, Integer>("test", 2, 100, this::write);
        assertThat(commits.write(1)).isEqualTo(-1);
        commits.close();
        assertThatIllegalStateException().isThrownBy(() -> commits.write(2));
    }

    private List<Integer> write(List<Integer> items) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        batches.add(items);
        return items.stream().map(n -> -n).toList();
    }
}
