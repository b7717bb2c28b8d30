package io.hiroba.inbox.gitlab;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;

/** The metrics of deliveries that this node received and handled. */
final class DeliveryMeters {

    /** Kinds with their own time series; a sender must not be able to create any number of them. */
    private static final Set<String> NAMED = Set.of(
            "issue",
            "work_item",
            "note",
            "merge_request",
            "pipeline",
            "build",
            "push",
            "tag_push",
            "emoji",
            "access_token");

    private final MeterRegistry meters;

    DeliveryMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    void received(String event, boolean repeated) {
        Counter.builder("hiroba.inbox.deliveries.received")
                .description("Calls of webhooks that this node took in")
                .tag("event", named(event))
                .tag("repeated", Boolean.toString(repeated))
                .register(meters)
                .increment();
    }

    void ended(String event, String outcome, Duration took) {
        Timer.builder("hiroba.inbox.deliveries.handled")
                .description("Calls of webhooks that this node worked on, by what became of them")
                .tag("event", named(event))
                .tag("outcome", outcome)
                .register(meters)
                .record(took);
    }

    private static String named(String event) {
        return NAMED.contains(event) ? event : event.startsWith("user_") ? "member" : "other";
    }
}
