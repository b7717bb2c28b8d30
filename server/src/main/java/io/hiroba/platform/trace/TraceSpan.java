package io.hiroba.platform.trace;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * A span of a trace: something that takes time, with what is done for it as its children. Of people it says nothing: names and values
 * of attributes are the program's own words, ids of requests and sagas, and counts.
 *
 * <p>Where nothing is traced, the current span is {@link #NONE}, on which all of this does nothing.
 */
public abstract class TraceSpan {

    /** The absence of a span. */
    public static final TraceSpan NONE = new None();

    private static final ScopedValue<TraceSpan> CURRENT = ScopedValue.newInstance();
    private static final String TRACE_ID = "traceId";
    private static final String SPAN_ID = "spanId";

    TraceSpan() {}

    /** The part of a conversation between programs that a span stands for. */
    public enum Kind {
        /** Work within the program. */
        INTERNAL,
        /** A request of another program. */
        SERVER,
        /** A request to another program. */
        CLIENT,
        /** The handling of something that was stored for later. */
        CONSUMER
    }

    /** The span that the current thread works for. */
    public static TraceSpan current() {
        return CURRENT.isBound() ? CURRENT.get() : NONE;
    }

    /** Whether what it says is kept; of a trace that was not sampled it is not. */
    public abstract boolean isRecording();

    /** Begins a span below this one, for the caller to end; the same one if it is not recording. */
    public abstract TraceSpan child(String name, Kind kind);

    public abstract TraceSpan rename(String name);

    public abstract TraceSpan set(String attribute, String value);

    public abstract TraceSpan set(String attribute, long value);

    /** Adds a reference to a span of another trace. */
    public abstract TraceSpan link(TraceSpan other);

    /** Marks it as failed. {@code type} is a class of failures, such as a SQLSTATE, and never a message, which may quote values. */
    public abstract TraceSpan fail(String type);

    public abstract void end();

    /** The W3C trace context that is handed on; null if there is none. */
    public abstract @Nullable String traceparent();

    abstract String traceId();

    abstract String spanId();

    /** The context where it is recorded, for what is stored with the work that is left to others; else null. */
    public @Nullable String recordedTraceparent() {
        return isRecording() ? traceparent() : null;
    }

    /** The id of the trace where it is recorded, 32 hexadecimal digits; else null. */
    public @Nullable String recordedTraceId() {
        return isRecording() ? traceId() : null;
    }

    /** Does {@code work} as the current span and ends it. What is thrown marks it as failed. */
    public <T extends @Nullable Object, X extends Throwable> T call(ScopedValue.CallableOp<T, X> work) throws X {
        try {
            return within(work);
        } catch (Throwable failure) {
            fail(failure.getClass().getSimpleName());
            throw failure;
        } finally {
            end();
        }
    }

    /** Does {@code work} as the current span, which has more to do. */
    public <T extends @Nullable Object, X extends Throwable> T within(ScopedValue.CallableOp<T, X> work) throws X {
        var outer = current();
        if (equals(outer)) {
            return work.call();
        }
        log(this);
        try {
            return ScopedValue.where(CURRENT, this).call(work);
        } finally {
            log(outer);
        }
    }

    /** As {@link #call}, for work without a result. */
    public void run(Runnable work) {
        this.<@Nullable Void, RuntimeException>call(() -> {
            work.run();
            return null;
        });
    }

    /** Says in the log which span its lines belong to. */
    private static void log(TraceSpan span) {
        if (span.isRecording()) {
            MDC.put(TRACE_ID, span.traceId());
            MDC.put(SPAN_ID, span.spanId());
        } else {
            MDC.remove(TRACE_ID);
            MDC.remove(SPAN_ID);
        }
    }

    /** No span. */
    private static final class None extends TraceSpan {

        @Override
        public boolean isRecording() {
            return false;
        }

        @Override
        public TraceSpan child(String name, Kind kind) {
            return this;
        }

        @Override
        public TraceSpan rename(String name) {
            return this;
        }

        @Override
        public TraceSpan set(String attribute, String value) {
            return this;
        }

        @Override
        public TraceSpan set(String attribute, long value) {
            return this;
        }

        @Override
        public TraceSpan link(TraceSpan other) {
            return this;
        }

        @Override
        public TraceSpan fail(String type) {
            return this;
        }

        @Override
        public void end() {}

        @Override
        public @Nullable String traceparent() {
            return null;
        }

        @Override
        String traceId() {
            return "";
        }

        @Override
        String spanId() {
            return "";
        }
    }
}
