package io.hiroba.platform.trace;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.http.ClientAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The configuration of traces. */
public record TracingConfig(
        @Default("")
        @Doc("The address of a collector of OpenTelemetry that takes spans over OTLP with HTTP and protobuf, such as"
                + " http://localhost:4318/v1/traces. Empty means that nothing is traced.")
        String endpoint,

        @Default("")
        @Secret
        @Doc(
                "Headers for the collector, each as `name=value`, with commas between them: for example `Authorization=Bearer …`.")
        String headers,

        @Default("0.1")
        @Doc(
                "The share of traces that are recorded, from 0 to 1. A trace is recorded as a whole or not at all, on all nodes.")
        double ratio,

        @Default("")
        @Doc(
                "Addresses or networks, such as 10.0.0.0/8, whose connections may go on with a trace of their own by the header"
                        + " `traceparent`, which says whether it is recorded. Others get a new trace, with a link to theirs. A proxy should be"
                        + " in it only if it removes the header of strangers.")
        List<String> trustedCallers,

        @Default("hiroba") @Doc("The name of the service in the traces.")
        String serviceName,

        @Default("")
        @Doc(
                "Attributes of the service in the traces, each as `name=value`, such as `deployment.environment.name=production`.")
        List<String> attributes,

        @Default("4096")
        @Doc(
                "Spans that wait for the collector at most. What comes while it is away or slow and finds no room is dropped, and"
                        + " counted in `hiroba_tracing_spans_total`.")
        int queueSize,

        @Default("10s") @Doc("How long the collector may take for a batch of spans.")
        Duration timeout,

        @Default("3s") @Doc("How long a stopping server takes at most to send the spans that wait.")
        Duration stopTimeout) {

    private static final Duration MAX_STOP_TIMEOUT = Duration.ofMinutes(1);

    public TracingConfig {
        if (!endpoint.isEmpty() && !endpoint.matches("https?://[^\\s/?#@]+(/[^\\s?#]*)?")) {
            throw new IllegalArgumentException(
                    "endpoint must be a URL of http or https, without user, query or fragment");
        }
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("ratio must be between 0 and 1, not " + ratio);
        }
        // The values are not repeated: those of headers are secret.
        pairs("headers", List.of(headers.split(",", -1)), "[!#$%&'*+.^_`|~0-9A-Za-z-]+", "[ -~]*");
        pairs("attributes", attributes, "[A-Za-z0-9_.-]+", "\\P{Cntrl}+");
        try {
            new ClientAddress(trustedCallers);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("trusted-callers " + e.getMessage(), e);
        }
        if (serviceName.isBlank()) {
            throw new IllegalArgumentException("service-name must not be empty");
        }
        if (queueSize < 1 || queueSize > 1_000_000) {
            throw new IllegalArgumentException("queue-size must be between 1 and 1000000, not " + queueSize);
        }
        if (timeout.toMillis() < 100) {
            throw new IllegalArgumentException("timeout must be at least 100ms");
        }
        if (stopTimeout.isNegative() || stopTimeout.compareTo(MAX_STOP_TIMEOUT) > 0) {
            throw new IllegalArgumentException("stop-timeout must be between 0s and 1m");
        }
    }

    /** Whether anything is traced. */
    public boolean isOn() {
        return !endpoint.isEmpty();
    }

    Map<String, String> headerValues() {
        return pairs("headers", List.of(headers.split(",", -1)), ".+", ".*");
    }

    Map<String, String> attributeValues() {
        return pairs("attributes", attributes, ".+", ".*");
    }

    private static Map<String, String> pairs(String setting, List<String> texts, String names, String values) {
        var pairs = new LinkedHashMap<String, String>();
        for (var text : texts) {
            if (text.isBlank()) {
                continue;
            }
            int equals = text.indexOf('=');
            var name = equals < 0 ? "" : text.substring(0, equals).strip();
            var value = text.substring(equals + 1).strip();
            if (!name.matches(names) || !value.matches(values)) {
                throw new IllegalArgumentException(setting + " must be like name=value, with commas between them");
            }
            pairs.put(name, value);
        }
        return pairs;
    }
}
