package io.hiroba.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The demo on a whole server. */
@Tag("slow")
class DemoServerTest {

    @Test
    void requestsAreAnsweredMeanwhileAndAStopOnTheWayIsClean() {
        var outcome = new AtomicReference<Demo.Result>();
        try (var square = new Square()) {
            var app = square.server.app();
            var filling = Thread.ofVirtual()
                    .start(() -> outcome.set(app.fillDemo((acts, all) -> {
                        if (acts == 700) {
                            var newest = square.admin.api().get("/api/v1/posts?limit=5");
                            assertThat(newest.outcome()).isEqualTo("200");
                            Thread.startVirtualThread(app::close);
                        }
                    })));
            assertThat(filling.join(Duration.ofMinutes(2))).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(outcome).hasValue(Demo.Result.INTERRUPTED);
    }
}
