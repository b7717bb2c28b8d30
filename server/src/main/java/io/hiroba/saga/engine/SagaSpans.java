package io.hiroba.saga.engine;

import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.TraceSpan.Kind;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepOutcome;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The spans of sagas. A saga is in the trace in which it was started, whose context is in its row: each time that a node works on it is
 * a span there, with the calls of its steps below.
 */
final class SagaSpans {

    private final Tracing tracing;

    SagaSpans(Tracing tracing) {
        this.tracing = tracing;
    }

    /** The saga with the trace that it belongs to: that of the request, or a new one. Without traces, that of whoever sent the request. */
    NewSaga started(NewSaga saga) {
        if (!tracing.isOn()) {
            return saga;
        }
        var current = TraceSpan.current();
        var span = current.traceparent() == null
                ? tracing.begin("start saga " + saga.workflowName(), Kind.INTERNAL)
                : current;
        try {
            return saga.in(span.traceparent());
        } finally {
            if (!span.equals(current)) {
                span.end();
            }
        }
    }

    /** The span of the time that this node works on a saga. */
    TraceSpan drive(SagaProgress progress) {
        if (!tracing.isOn()) {
            return TraceSpan.NONE;
        }
        var saga = progress.saga();
        return tracing.resume(saga.traceparent(), "saga " + saga.workflowName(), Kind.CONSUMER)
                .set("hiroba.saga.id", saga.id().toString())
                .set("hiroba.saga.workflow", saga.workflowName())
                .set("hiroba.saga.version", saga.workflowVersion())
                .set("hiroba.saga.owner", saga.owner())
                .set("hiroba.saga.fence", saga.fence());
    }

    /** The span of a call, below that of its saga. */
    static TraceSpan step(TraceSpan saga, StepCall call) {
        if (!saga.isRecording()) {
            return saga;
        }
        return saga.child(call.kind().name().toLowerCase(Locale.ROOT) + " " + call.stepName(), Kind.CLIENT)
                .set("hiroba.saga.step", call.stepName())
                .set("hiroba.saga.service", call.service())
                .set("hiroba.saga.method", call.method())
                .set("hiroba.saga.attempt", call.attempt());
    }

    /** The wait for a commit, which is shared with other sagas. */
    static <T> T commit(Supplier<T> write) {
        return TraceSpan.current().child("saga commit", Kind.INTERNAL).<T, RuntimeException>call(write::get);
    }

    /** Says how the call ended; of the service's answer nothing is told. */
    static void ended(TraceSpan step, StepOutcome outcome) {
        switch (outcome) {
            case StepOutcome.Failed failed -> step.fail(failed.permanent() ? "REFUSED" : "FAILED");
            case StepOutcome.TimedOut _ -> step.fail("TIMEOUT");
            case StepOutcome.Done _, StepOutcome.Pending _ -> {}
        }
    }
}
