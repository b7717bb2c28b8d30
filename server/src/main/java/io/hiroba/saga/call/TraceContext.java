package io.hiroba.saga.call;

import io.hiroba.platform.trace.TraceSpan;
import java.util.concurrent.ThreadLocalRandom;

/** The W3C trace context of a call: a saga is one trace, and each of its calls a span of its own. */
final class TraceContext {

    private static final int TRACE = 32;
    private static final String SAMPLED = "01";

    private TraceContext() {}

    /**
     * The header {@code traceparent}: that of the call's span where it is recorded, else of the trace that the saga was started in, else
     * of one derived from its id.
     */
    static String of(StepCall call) {
        var recorded = TraceSpan.current().recordedTraceparent();
        if (recorded != null) {
            return recorded;
        }
        var given = call.traceparent();
        return "00-%s-%016x-%s"
                .formatted(
                        given == null ? call.saga().toString().replace("-", "") : part(given, 3, 3 + TRACE),
                        ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE),
                        given == null ? SAMPLED : part(given, given.length() - 2, given.length()));
    }

    private static String part(String traceparent, int from, int to) {
        return traceparent.substring(from, to);
    }
}
