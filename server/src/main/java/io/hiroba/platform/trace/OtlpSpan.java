package io.hiroba.platform.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;

/** A span of OpenTelemetry's SDK. */
final class OtlpSpan extends TraceSpan {

    private final OtlpTracer tracer;
    private final Span span;

    OtlpSpan(OtlpTracer tracer, Span span) {
        this.tracer = tracer;
        this.span = span;
    }

    @Override
    public boolean isRecording() {
        return span.getSpanContext().isSampled();
    }

    @Override
    public TraceSpan child(String name, Kind kind) {
        return isRecording() ? tracer.start(name, kind, Context.root().with(span)) : this;
    }

    @Override
    public TraceSpan rename(String name) {
        span.updateName(name);
        return this;
    }

    @Override
    public TraceSpan set(String attribute, String value) {
        span.setAttribute(attribute, value);
        return this;
    }

    @Override
    public TraceSpan set(String attribute, long value) {
        span.setAttribute(attribute, value);
        return this;
    }

    @Override
    public TraceSpan link(TraceSpan other) {
        if (other instanceof OtlpSpan target && target.isRecording()) {
            link(target.span.getSpanContext());
        }
        return this;
    }

    void link(SpanContext context) {
        span.addLink(context);
    }

    @Override
    public TraceSpan fail(String type) {
        span.setStatus(StatusCode.ERROR);
        span.setAttribute("error.type", type);
        return this;
    }

    @Override
    public void end() {
        span.end();
    }

    @Override
    public String traceparent() {
        var context = span.getSpanContext();
        return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-" + (isRecording() ? "01" : "00");
    }

    @Override
    String traceId() {
        return span.getSpanContext().getTraceId();
    }

    @Override
    String spanId() {
        return span.getSpanContext().getSpanId();
    }
}
