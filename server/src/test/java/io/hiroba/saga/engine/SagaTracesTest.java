package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.testkit.TestCollector;
import io.hiroba.testkit.TestCollector.Seen;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestService;
import io.hiroba.testkit.TestWorkflow;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sagas that stay in the trace in which they were started. */
class SagaTracesTest {

    private final TestDatabase database = TestDatabase.create();
    private final TestSagas sagas = new TestSagas(database);
    private final TestCollector collector = TestCollector.start();
    private final List<String> contexts = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        sagas.close();
        database.close();
        collector.close();
    }

    private Tracing tracing() {
        return Tracing.open(collector.config(), new SimpleMeterRegistry());
    }

    private StepOutcome take(StepCall call) {
        contexts.add(String.valueOf(TraceSpan.current().recordedTraceparent()));
        sagas.service.take(call);
        return TestService.done(call);
    }

    @Test
    void aSagaWhoseNodeIsKilledGoesOnInItsTraceElsewhere() {
        sagas.service.on("do a", this::take).on("do b", this::take);
        var killed = new CountDownLatch(1);
        try (var here = tracing();
                var there = tracing()) {
            // With room for one saga it never claims this one again.
            var first = sagas.traced(here).node(1, point -> {
                if (point == FaultInjector.Point.AFTER_CALL && contexts.size() == 2) {
                    awaitQuietly(killed);
                    throw new IllegalStateException("killed");
                }
            });
            var id = here.begin("request", TraceSpan.Kind.SERVER)
                    .<SagaId, RuntimeException>call(() -> sagas.start(first, TestWorkflow.of("a", "b")));
            await().until(() -> contexts.size() == 2);
            sagas.traced(there).node();
            sagas.declareDead();
            sagas.awaitStatus(id, SagaStatus.COMPLETED);
            assertThat(sagas.number("""
                            SELECT count(*)::int FROM platform.event_logs AS e
                            JOIN saga.saga_states AS s ON s.traceparent = e.traceparent
                            WHERE s.id = '%s'
                            """.formatted(id))).isEqualTo(3);
            var trace = contexts.getFirst().substring(3, 35);
            assertThat(contexts).hasSize(3).allMatch(each -> each.startsWith("00-" + trace) && each.endsWith("-01"));
            // The span of the saga on the first node never ends.
            await().untilAsserted(() -> assertOneTrace(collector.trace(trace)));
            killed.countDown();
        }
    }

    private static void assertOneTrace(List<Seen> spans) {
        assertThat(spans).extracting(Seen::name).contains("request", "execute a", "execute b", "saga commit");
        var request = spans.stream()
                .filter(span -> span.name().equals("request"))
                .findFirst()
                .orElseThrow();
        assertThat(spans)
                .filteredOn(span -> span.attributes().containsKey("hiroba.saga.fence"))
                .singleElement()
                .satisfies(span -> {
                    assertThat(span.parent()).isEqualTo(request.id());
                    assertThat(span.attributes()).containsEntry("hiroba.saga.fence", "3");
                    assertThat(span.service().get("service.instance.id"))
                            .isNotEqualTo(request.service().get("service.instance.id"));
                });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aSagaThatNoRequestStartedBeginsATraceAndParallelStepsAreBelowIt() {
        sagas.service.on("do-a", this::take).on("do-b", this::take);
        var workflow = sagas.register("""
                name: side-by-side
                steps:
                  - parallel:
                      - {name: a, service: test, method: do-a}
                      - {name: b, service: test, method: do-b}
                """);
        try (var tracing = tracing()) {
            var id = sagas.start(sagas.traced(tracing).node(), workflow);
            sagas.awaitStatus(id, SagaStatus.COMPLETED);
            await().until(() ->
                    collector.spans().stream().anyMatch(span -> span.name().equals("saga side-by-side")));
        }
        var trace = contexts.getFirst().substring(3, 35);
        assertThat(contexts).hasSize(2).allMatch(context -> context.startsWith("00-" + trace));
        assertThat(collector.trace(trace))
                .extracting(Seen::name)
                .contains("start saga side-by-side", "saga side-by-side", "execute a", "execute b");
    }
}
