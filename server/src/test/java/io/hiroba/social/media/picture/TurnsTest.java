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

class TurnsTest {

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
    private Future<String> begin(ExecutorService threads, Turns turns, String user) throws InterruptedException {
        var first = threads.submit(() -> turns.forUser(user, () -> turns.besideOthers(this::untilToldToEnd)));
        begun.await();
        return first;
    }

    private static String act(Turns turns, String user) throws IOException {
        return turns.forUser(user, () -> turns.besideOthers(() -> user));
    }

    @Test
    void aUserWhoIsServedGetsNoSecondPlaceAndOthersDo() throws Exception {
        var turns = new Turns(2, Duration.ofMillis(50));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = begin(threads, turns, "Greedy");
            assertBusy(() -> act(turns, "Greedy"));
            assertThat(act(turns, "Modest")).isEqualTo("Modest");
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
        }
        assertThat(act(turns, "Greedy")).isEqualTo("Greedy");
    }

    @Test
    void aUsersSecondWaitsForTheFirst() throws Exception {
        var turns = new Turns(2, LONG);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = begin(threads, turns, "Greedy");
            var second = threads.submit(() -> act(turns, "Greedy"));
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
            assertThat(second.get()).isEqualTo("Greedy");
        }
    }

    @Test
    void whoMustBeAloneIsAlone() throws Exception {
        var turns = new Turns(2, Duration.ofMillis(50));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = begin(threads, turns, "Small");
            assertBusy(() -> turns.alone(() -> "huge"));
            end.countDown();
            first.get();
        }
        assertThat(turns.alone(() -> {
                    assertBusy(() -> act(turns, "Small"));
                    return "huge";
                }))
                .isEqualTo("huge");
        assertThat(act(turns, "Small")).isEqualTo("Small");
    }

    @Test
    void whatFailsGivesItsPlaceBack() throws IOException {
        var turns = new Turns(1, Duration.ofMillis(50));
        assertThatThrownBy(() -> turns.forUser(
                        "Unlucky",
                        () -> turns.alone(() -> {
                            throw new IOException("a test wants it");
                        })))
                .isInstanceOf(IOException.class);
        assertThat(act(turns, "Unlucky")).isEqualTo("Unlucky");
    }

    private static void assertBusy(ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        PictureProblem.class,
                        refusal -> assertThat(refusal.code()).isEqualTo("media.busy"));
    }
}
