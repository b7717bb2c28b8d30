package io.hiroba.platform.trace;

import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.trace.TraceSpan.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Begins the traces of a node, and the spans with which it goes on with traces that began elsewhere. All other spans are children of
 * {@link TraceSpan#current}.
 *
 * <p>Where nothing is traced, no class of OpenTelemetry is loaded.
 */
public final class Tracing implements AutoCloseable {

    /** Traces nothing. */
    public static final Tracing OFF = new Tracing(null, new ClientAddress(List.of()));

    private final @Nullable OtlpTracer tracer;
    private final ClientAddress trustedCallers;

    private Tracing(@Nullable OtlpTracer tracer, ClientAddress trustedCallers) {
        this.tracer = tracer;
        this.trustedCallers = trustedCallers;
    }

    /** Begins to trace if that is configured. The collector need not be there. */
    public static Tracing open(TracingConfig config, MeterRegistry meters) {
        return config.isOn()
                ? new Tracing(OtlpTracer.open(config, meters), new ClientAddress(config.trustedCallers()))
                : OFF;
    }

    public boolean isOn() {
        return tracer != null;
    }

    /** The spans of this node so far, by their fate. */
    public record Counts(long exported, long dropped, long failed) {}

    /** The spans that left, that found no room in the queue, and that the collector did not take. */
    public Counts counts() {
        return tracer == null ? new Counts(0, 0, 0) : tracer.counts();
    }

    /** A span of the current trace, or the first one of a new trace if there is none. */
    public TraceSpan begin(String name, Kind kind) {
        var current = TraceSpan.current();
        if (tracer == null || !current.equals(TraceSpan.NONE)) {
            return current.child(name, kind);
        }
        return tracer.begin(name, kind, null);
    }

    /**
     * The span of a request. A caller that is trusted goes on with its trace; a stranger could have everything recorded that way, and so
     * gets a new trace with a link.
     *
     * @param traceparent what the caller sent
     * @param peer the other end of the connection
     */
    public TraceSpan beginRequest(@Nullable String traceparent, InetAddress peer, String name) {
        if (tracer == null) {
            return TraceSpan.NONE;
        }
        if (traceparent == null) {
            return tracer.begin(name, Kind.SERVER, null);
        }
        return trustedCallers.isTrusted(peer)
                ? tracer.begin(name, Kind.SERVER, traceparent)
                : tracer.beginLinked(name, Kind.SERVER, traceparent);
    }

    /** A span that goes on with a trace of ours, whose context was stored; {@link TraceSpan#NONE} if none was. */
    public TraceSpan resume(@Nullable String traceparent, String name, Kind kind) {
        return tracer == null || traceparent == null ? TraceSpan.NONE : tracer.resume(name, kind, traceparent);
    }

    /** Sends what waits, for a bounded time. */
    @Override
    public void close() {
        if (tracer != null) {
            tracer.close();
        }
    }
}
