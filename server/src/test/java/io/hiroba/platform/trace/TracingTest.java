package io.hiroba.platform.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.trace.TraceSpan.Kind;
import io.hiroba.testkit.TestCollector;
import io.hiroba.testkit.TestCollector.Seen;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class TracingTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SAMPLED = "00-" + TRACE + "-00f067aa0ba902b7-01";
    private static final InetAddress FRIEND = InetAddress.ofLiteral("10.1.2.3");
    private static final InetAddress STRANGER = InetAddress.ofLiteral("203.0.113.9");

    private final TestCollector collector = TestCollector.start();
    private final MeterRegistry meters = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        collector.close();
    }

    private TracingConfig config(String... flags) {
        var arguments = new ArrayList<>(List.of("--tracing.endpoint=" + collector.endpoint()));
        arguments.addAll(List.of(flags));
        return load(arguments);
    }

    /** A configuration with traces. */
    private record Settings(TracingConfig tracing) {}

    private static TracingConfig load(List<String> flags) {
        return ConfigLoader.of(Settings.class)
                .environment(Map.of())
                .arguments(flags)
                .load()
                .value()
                .tracing();
    }

    @Test
    void aStrangerCannotHaveATraceRecordedAndATrustedCallerDecides() {
        try (var tracing = Tracing.open(config("--tracing.ratio=0", "--tracing.trusted-callers=10.0.0.0/8"), meters)) {
            var refused = tracing.beginRequest(SAMPLED, STRANGER, "GET");
            assertThat(refused.isRecording()).isFalse();
            assertThat(refused.traceparent()).doesNotContain(TRACE).endsWith("-00");
            refused.end();
            var trusted = tracing.beginRequest(SAMPLED, FRIEND, "GET");
            assertThat(trusted.traceparent()).startsWith("00-" + TRACE).endsWith("-01");
            trusted.end();
            assertThat(tracing.beginRequest(null, FRIEND, "GET").isRecording()).isFalse();
        }
        assertThat(collector.spans())
                .extracting(Seen::trace, Seen::parent)
                .containsExactly(tuple(TRACE, "00f067aa0ba902b7"));
        try (var tracing = Tracing.open(config("--tracing.ratio=1", "--tracing.trusted-callers=10.0.0.0/8"), meters)) {
            var unrecorded = tracing.beginRequest(SAMPLED.replace("-01", "-00"), FRIEND, "GET");
            assertThat(unrecorded.isRecording()).isFalse();
            assertThat(unrecorded.traceparent()).startsWith("00-" + TRACE).endsWith("-00");
            // What is below it is not recorded either.
            unrecorded.run(
                    () -> assertThat(tracing.begin("below", Kind.INTERNAL).isRecording())
                            .isFalse());
        }
    }

    @Test
    void malformedContextsBeginATraceOfTheirOwn() {
        try (var tracing = Tracing.open(config("--tracing.ratio=1", "--tracing.trusted-callers=10.0.0.0/8"), meters)) {
            for (var malformed : List.of(
                    "",
                    "00",
                    SAMPLED + "-more",
                    SAMPLED.replace("00-4", "ff-4"),
                    SAMPLED.toUpperCase(Locale.ROOT),
                    "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01",
                    "00-" + TRACE + "-" + "0".repeat(16) + "-01",
                    SAMPLED + "\r\nX: y",
                    "x".repeat(100_000))) {
                var span = tracing.beginRequest(malformed, FRIEND, "GET");
                assertThat(span.isRecording()).isTrue();
                assertThat(span.traceparent()).doesNotContain(TRACE);
                assertThat(tracing.resume(malformed, "stored", Kind.CONSUMER)).isSameAs(TraceSpan.NONE);
                tracing.beginRequest(malformed, STRANGER, "GET").end();
            }
            assertThat(tracing.beginRequest("cc" + SAMPLED.substring(2) + "-later", FRIEND, "GET")
                            .traceparent())
                    .startsWith("00-" + TRACE);
        }
    }

    @Test
    void whereNothingIsTracedNothingIsKnown() {
        assertThat(Tracing.open(load(List.of()), meters)).isSameAs(Tracing.OFF);
        var span = Tracing.OFF.beginRequest(SAMPLED, FRIEND, "GET");
        assertThat(span).isSameAs(TraceSpan.NONE);
        assertThat(span.<String, RuntimeException>call(
                        () -> String.valueOf(TraceSpan.current().traceparent())))
                .isEqualTo("null");
        assertThat(Tracing.OFF.begin("x", Kind.INTERNAL)).isSameAs(TraceSpan.NONE);
        assertThat(Tracing.OFF.resume(SAMPLED, "x", Kind.CONSUMER)).isSameAs(TraceSpan.NONE);
        assertThat(meters.find("hiroba.tracing.spans").meters()).isEmpty();
    }

    @Test
    void linesOfTheLogNameTheSpanThatTheyBelongTo() {
        try (var tracing = Tracing.open(config("--tracing.ratio=1"), meters)) {
            tracing.begin("outer", Kind.INTERNAL).run(() -> {
                var outer = MDC.get("spanId");
                assertThat(TraceSpan.current().traceparent())
                        .isEqualTo("00-%s-%s-01".formatted(MDC.get("traceId"), outer));
                TraceSpan.current()
                        .child("inner", Kind.INTERNAL)
                        .run(() -> assertThat(MDC.get("spanId")).isNotEqualTo(outer));
                assertThat(MDC.get("spanId")).isEqualTo(outer);
            });
            assertThat(MDC.get("traceId")).isNull();
        }
    }

    @Test
    void aFailureIsToldByItsClassAndNotByItsMessage() {
        try (var tracing = Tracing.open(config("--tracing.ratio=1"), meters)) {
            assertThatThrownBy(() -> tracing.begin("fails", Kind.INTERNAL).run(() -> {
                        throw new IllegalStateException("ann@square.example");
                    }))
                    .hasMessage("ann@square.example");
        }
        var span = collector.spans().getFirst();
        assertThat(span.failed()).isTrue();
        assertThat(span.attributes()).containsExactly(Map.entry("error.type", "IllegalStateException"));
    }

    @Test
    void aCollectorThatHangsHoldsNobodyUpAndWhatItDoesNotTakeIsCounted() {
        collector.hang();
        var tracing = Tracing.open(
                config(
                        "--tracing.ratio=1",
                        "--tracing.queue-size=50",
                        "--tracing.timeout=1h",
                        "--tracing.stop-timeout=1s"),
                meters);
        // Any of these would take an hour if it waited for the collector.
        assertTimeout(Duration.ofSeconds(30), () -> {
            for (int i = 0; i < 2_000; i++) {
                tracing.begin("span", Kind.INTERNAL).end();
            }
            await().until(() -> tracing.counts().dropped() > 0);
            tracing.close();
        });
        var counts = tracing.counts();
        assertThat(counts.exported()).isZero();
        assertThat(counts.dropped()).isGreaterThan(1_000);
        assertThat(meters.get("hiroba.tracing.spans")
                        .tag("outcome", "dropped")
                        .functionCounter()
                        .count())
                .isEqualTo((double) counts.dropped());
    }

    @Test
    void aCollectorThatIsAwayIsCountedToo() {
        var address = collector.endpoint();
        collector.close();
        try (var tracing = Tracing.open(
                load(List.of("--tracing.endpoint=" + address, "--tracing.ratio=1", "--tracing.timeout=200ms")),
                meters)) {
            tracing.begin("span", Kind.INTERNAL).end();
            await().until(() -> tracing.counts().failed() == 1);
        }
    }

    @Test
    void whatWaitsIsSentWhenItStops() {
        try (var tracing = Tracing.open(config("--tracing.ratio=1"), meters)) {
            for (int i = 0; i < 1_500; i++) {
                tracing.begin("span", Kind.INTERNAL).end();
            }
        }
        assertThat(collector.spans()).hasSize(1_500);
    }

    @Test
    void badSettingsAreRefusedAndSecretsMasked() {
        for (var bad : List.of(
                "--tracing.endpoint=localhost:4317",
                "--tracing.endpoint=http://user:secret@collector/v1/traces",
                "--tracing.ratio=1.1",
                "--tracing.ratio=-0.1",
                "--tracing.headers=Authorization",
                "--tracing.headers=Bad Name=x",
                "--tracing.trusted-callers=everybody",
                "--tracing.attributes=novalue",
                "--tracing.service-name= ",
                "--tracing.queue-size=0",
                "--tracing.timeout=1ms",
                "--tracing.stop-timeout=2m")) {
            assertThatThrownBy(() -> load(List.of(bad)))
                    .as(bad)
                    .hasMessageContaining(bad.substring(2, bad.indexOf('=')));
        }
        var printed = ConfigLoader.of(Settings.class)
                .environment(Map.of())
                .arguments(List.of("--tracing.headers=Authorization=Bearer of-the-collector"))
                .load()
                .print();
        assertThat(printed).contains("headers").doesNotContain("of-the-collector");
        assertThatThrownBy(() -> load(List.of("--tracing.headers=Authorization=of-the-collector, second")))
                .message()
                .doesNotContain("of-the-collector");
    }
}
