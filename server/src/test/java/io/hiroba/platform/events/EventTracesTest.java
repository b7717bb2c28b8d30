package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.testkit.TestCollector;
import io.hiroba.testkit.TestCollector.Seen;
import io.hiroba.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events of the log that carry the span in which they were appended. */
class EventTracesTest {

    private final TestDatabase database = TestDatabase.create();
    private final Db db = database.db();
    private final TestCollector collector = TestCollector.start();
    private final CommitSignal bell = new CommitSignal();
    private final EventLog log = new EventLog();
    private final List<Event> handled = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        database.close();
        collector.close();
    }

    private void append(Tx tx, long recipient, String type) {
        log.append(tx, NewEvent.of(recipient, type));
    }

    private Events node(Tracing tracing) {
        return new Events(db, EventNode.CONFIG, Clock.systemUTC(), new SimpleMeterRegistry(), bell, tracing);
    }

    private Event handled(String type) {
        return await().until(
                        () -> handled.stream()
                                .filter(event -> event.type().equals(type))
                                .findFirst(),
                        found -> found.isPresent())
                .orElseThrow();
    }

    @Test
    void aBatchGoesOnWithEachTraceThatItHasEventsOf() {
        try (var tracing = Tracing.open(collector.config(), new SimpleMeterRegistry());
                var node = node(tracing)) {
            for (var type : List.of("first", "second")) {
                tracing.begin(type, TraceSpan.Kind.INTERNAL).run(() -> db.useTransaction(tx -> append(tx, 7, type)));
            }
            db.useTransaction(tx -> append(tx, 7, "untraced"));
            node.consume("mixed", (tx, batch) -> {
                handled.addAll(batch);
                if (batch.size() == 3) {
                    append(tx, 8, "of several");
                }
            });
            assertThat(handled("of several").traceparent()).isNull();
            assertThat(handled("untraced").traceparent()).isNull();
        }
        var batches = collector.spans().stream()
                .filter(span -> span.name().equals("events mixed"))
                .toList();
        assertThat(batches)
                .extracting(Seen::trace, Seen::parent)
                .containsExactlyInAnyOrder(
                        tuple(part("first", 3, 35), part("first", 36, 52)),
                        tuple(part("second", 3, 35), part("second", 36, 52)));
        // The statements are shown in one of them, and the other refers to it.
        assertThat(batches).filteredOn(batch -> !batch.links().isEmpty()).hasSize(1);
    }

    private String part(String type, int from, int to) {
        return String.valueOf(handled(type).traceparent()).substring(from, to);
    }

    @Test
    void whatEventsOfOneTraceLeadToIsInItAndWhatConcernsNobodyIsNot() {
        try (var tracing = Tracing.open(collector.config(), new SimpleMeterRegistry());
                var node = node(tracing)) {
            node.consume("leads", new EventHandler() {
                @Override
                public void handle(Tx tx, List<Event> batch) {
                    handled.addAll(batch);
                    if (batch.stream().anyMatch(event -> event.type().equals("cause"))) {
                        append(tx, 9, "effect");
                    }
                }

                @Override
                public boolean isAffectedBy(String type) {
                    return !type.equals("other");
                }
            });
            // A statement that is a transaction of its own, as of a trigger.
            tracing.begin("request", TraceSpan.Kind.SERVER)
                    .run(() -> db.inStatement(
                            reads -> reads.query("""
                    SELECT platform.append_events(ARRAY[7::smallint], ARRAY['{"type": "cause"}'::jsonb])
                    """).mapTo(String.class).list()));
            var cause = handled("cause");
            var effect = handled("effect");
            assertThat(String.valueOf(effect.traceparent()).substring(3, 35)).isEqualTo(part("cause", 3, 35));
            assertThat(effect.traceparent()).isNotEqualTo(cause.traceparent());
            tracing.begin("other", TraceSpan.Kind.SERVER)
                    .run(() -> db.useTransaction(tx -> {
                        append(tx, 7, "other");
                        append(tx, 7, "end");
                    }));
            handled("end");
        }
        assertThat(collector.spans())
                .filteredOn(span -> span.name().equals("events leads"))
                .extracting(Seen::trace)
                .containsOnly(part("cause", 3, 35), part("end", 3, 35));
    }

    @Test
    void withoutTracesNothingIsWritten() {
        try (var node = node(Tracing.OFF)) {
            db.useTransaction(tx -> append(tx, 7, "plain"));
            node.consume("off", (tx, batch) -> handled.addAll(batch));
            assertThat(handled("plain").traceparent()).isNull();
        }
        assertThat(collector.spans()).isEmpty();
    }
}
