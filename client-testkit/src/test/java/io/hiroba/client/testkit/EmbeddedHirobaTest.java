package io.hiroba.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example of a test of a workflow. */
@Tag("slow")
class EmbeddedHirobaTest {

    record Order(int number) {}

    @Test
    void anOrderIsCharged() throws Exception {
        try (var hiroba = EmbeddedHiroba.start()
                        .workerService("billing")
                        .workflow("{name: order, steps: [{name: charge, service: billing, method: charge}]}");
                var worker = hiroba.client()
                        .worker("billing")
                        .pollWait(Duration.ofSeconds(1))
                        .step("charge", Order.class, (order, task) -> Map.of("receipt", "R-" + order.number()))
                        .start()) {
            assertThat(worker).isNotNull();
            var saga = hiroba.client().await(hiroba.client().start("order", new Order(7)), Duration.ofSeconds(30));
            assertThat(saga.status()).isEqualTo("COMPLETED");
            assertThat(saga.json().toString()).contains("R-7");
        }
    }
}
