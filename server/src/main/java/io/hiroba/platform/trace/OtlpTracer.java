package io.hiroba.platform.trace;

import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.trace.TraceSpan.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes spans with OpenTelemetry's SDK and exports them over OTLP. */
final class OtlpTracer implements AutoCloseable {

    private static final int MAX_ATTRIBUTES = 32;
    private static final int MAX_ATTRIBUTE_LENGTH = 256;
    private static final int MAX_LINKS = 32;

    /** A later version of the form may have more after it. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[ -~]{0,200})?");

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final SpanQueue queue;
    private final @Nullable ExecutorService threads;

    private OtlpTracer(
            TracingConfig config, MeterRegistry meters, SpanExporter exporter, @Nullable ExecutorService threads) {
        this.threads = threads;
        queue = new SpanQueue(exporter, config.queueSize(), config.timeout(), config.stopTimeout(), meters);
        provider = SdkTracerProvider.builder()
                .setResource(resource(config))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(config.ratio())))
                .setSpanLimits(SpanLimits.builder()
                        .setMaxNumberOfAttributes(MAX_ATTRIBUTES)
                        .setMaxAttributeValueLength(MAX_ATTRIBUTE_LENGTH)
                        .setMaxNumberOfLinks(MAX_LINKS)
                        .build())
                .addSpanProcessor(queue)
                .build();
        tracer = provider.get("io.hiroba", ProgramVersion.CURRENT);
    }

    static OtlpTracer open(TracingConfig config, MeterRegistry meters) {
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(config.endpoint())
                .setTimeout(config.timeout())
                .setConnectTimeout(config.timeout())
                .setCompression("gzip")
                .setHeaders(config::headerValues)
                .setExecutorService(threads)
                .build();
        return new OtlpTracer(config, meters, exporter, threads);
    }

    /** With an exporter of its own, for tests. */
    static OtlpTracer with(TracingConfig config, MeterRegistry meters, SpanExporter exporter) {
        return new OtlpTracer(config, meters, exporter, null);
    }

    private static Resource resource(TracingConfig config) {
        var attributes = Attributes.builder()
                .put("service.name", config.serviceName())
                .put("service.version", ProgramVersion.CURRENT)
                .put("service.instance.id", UUID.randomUUID().toString());
        config.attributeValues().forEach(attributes::put);
        return Resource.getDefault().merge(Resource.create(attributes.build()));
    }

    Tracing.Counts counts() {
        return queue.counts();
    }

    /** @param parent the context of a parent in another program, which has decided whether the trace is recorded */
    TraceSpan begin(String name, Kind kind, @Nullable String parent) {
        var context = parent == null ? null : context(parent);
        return start(
                name, kind, context == null ? Context.root() : Context.root().with(Span.wrap(context)));
    }

    /** The first span of a new trace, with a link to that of the caller. */
    TraceSpan beginLinked(String name, Kind kind, String caller) {
        var span = start(name, kind, Context.root());
        var context = context(caller);
        if (context != null) {
            span.link(context);
        }
        return span;
    }

    TraceSpan resume(String name, Kind kind, String parent) {
        var context = context(parent);
        return context == null
                ? TraceSpan.NONE
                : start(name, kind, Context.root().with(Span.wrap(context)));
    }

    OtlpSpan start(String name, Kind kind, Context parent) {
        return new OtlpSpan(
                this,
                tracer.spanBuilder(name)
                        .setParent(parent)
                        .setSpanKind(
                                switch (kind) {
                                    case INTERNAL -> SpanKind.INTERNAL;
                                    case SERVER -> SpanKind.SERVER;
                                    case CLIENT -> SpanKind.CLIENT;
                                    case CONSUMER -> SpanKind.CONSUMER;
                                })
                        .startSpan());
    }

    /** The context that a header says; null if it is malformed. */
    private static @Nullable SpanContext context(String traceparent) {
        var parts = TRACEPARENT.matcher(traceparent);
        if (!parts.matches() || (parts.group(1).equals("00") && parts.group(5) != null)) {
            return null;
        }
        var context = SpanContext.createFromRemoteParent(
                parts.group(2), parts.group(3), TraceFlags.fromHex(parts.group(4), 0), TraceState.getDefault());
        return context.isValid() ? context : null;
    }

    @Override
    public void close() {
        provider.close();
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
