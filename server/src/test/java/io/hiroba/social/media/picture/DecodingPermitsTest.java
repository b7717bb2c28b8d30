package io.hiroba.social.media.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DecodingPermitsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    private String untilToldToEnd() {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "first";
    }

    /** Has a user do something that lasts until {@link #end}. */
    private Future<String> begin(ExecutorService threads, DecodingPermits permits, String user)
            throws InterruptedException {
        var first = threads.submit(() -> permits.forUser(user, () -> permits.withOne(this::untilToldToEnd)));
        begun.await();
        return first;
    }

    private static String act(DecodingPermits permits, String user) throws IOException {
        return permits.forUser(user, () -> permits.withOne(() -> user));
    }

    @Test
    void aUserWhoIsServedGetsNoSecondPlaceAndOthersDo() throws Exception {
        var permits = new DecodingPermits(2, Duration.ofMillis(50));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = begin(threads, permits, "Greedy");
            assertBusy(() -> act(permits, "Greedy"));
            assertThat(act(permits, "Modest")).isEqualTo("Modest");
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
        }
        assertThat(act(permits, "Greedy")).isEqualTo("Greedy");
    }

    @Test
    void aUsersSecondWaitsForTheFirst() throws Exception {
        var permits = new DecodingPermits(2, LONG);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = begin(threads, permits, "Greedy");
            var second = threads.submit(() -> act(permits, "Greedy"));
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
            assertThat(second.get()).isEqualTo("Greedy");
        }
    }

    @Test
    void whoMustBeAloneIsAlone() throws Exception {
        var permits = new DecodingPermits(2, Duration.ofMillis(50));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = begin(threads, permits, "Small");
            assertBusy(() -> permits.withAll(() -> "huge"));
            end.countDown();
            first.get();
        }
        assertThat(permits.withAll(() -> {
                    assertBusy(() -> act(permits, "Small"));
                    return "huge";
                }))
                .isEqualTo("huge");
        assertThat(act(permits, "Small")).isEqualTo("Small");
    }

    @Test
    void whatFailsGivesItsPlaceBack() throws IOException {
        var permits = new DecodingPermits(1, Duration.ofMillis(50));
        assertThatThrownBy(() -> permits.forUser(
                        "Unlucky",
                        () -> permits.withAll(() -> {
                            throw new IOException("a test wants it");
                        })))
                .isInstanceOf(IOException.class);
        assertThat(act(permits, "Unlucky")).isEqualTo("Unlucky");
    }

    private static void assertBusy(ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        PictureProblem.class,
                        refusal -> assertThat(refusal.code()).isEqualTo("media.busy"));
    }
}
