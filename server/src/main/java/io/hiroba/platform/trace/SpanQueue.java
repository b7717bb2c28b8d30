package io.hiroba.platform.trace;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues ended spans for a thread that exports them in batches. Nobody waits for it: a span that finds no room is dropped and counted,
 * which the SDK's own queue tells only to a registry of metrics of its own.
 */
final class SpanQueue implements SpanProcessor {

    private static final Logger log = LoggerFactory.getLogger(SpanQueue.class);
    private static final int BATCH_SIZE = 512;

    /** The time in which spans are gathered to a batch that is not full. */
    private static final Duration DELAY = Duration.ofMillis(200);

    private final SpanExporter exporter;
    private final BlockingQueue<ReadableSpan> queue;
    private final Duration timeout;
    private final Duration stopTimeout;
    private final AtomicLong exported = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread worker;
    private volatile boolean closing;

    SpanQueue(SpanExporter exporter, int size, Duration timeout, Duration stopTimeout, MeterRegistry meters) {
        this.exporter = exporter;
        this.timeout = timeout;
        this.stopTimeout = stopTimeout;
        queue = new ArrayBlockingQueue<>(size);
        count(meters, "exported", each -> each.exported.get());
        count(meters, "dropped", each -> each.dropped.get());
        count(meters, "failed", each -> each.failed.get());
        Gauge.builder("hiroba.tracing.queue", queue, BlockingQueue::size)
                .description("Spans that wait for the collector")
                .register(meters);
        worker = Thread.ofPlatform().daemon().name("span export").start(this::exportUntilClosed);
    }

    private void count(MeterRegistry meters, String outcome, ToDoubleFunction<SpanQueue> value) {
        FunctionCounter.builder("hiroba.tracing.spans", this, value)
                .description(
                        "Spans of traces that ended on this node: exported, dropped for want of room, or failed to be exported")
                .tag("outcome", outcome)
                .register(meters);
    }

    Tracing.Counts counts() {
        return new Tracing.Counts(exported.get(), dropped.get(), failed.get());
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (span.getSpanContext().isSampled() && (closing || !queue.offer(span))) {
            dropped.incrementAndGet();
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    private void exportUntilClosed() {
        var batch = new ArrayList<ReadableSpan>(BATCH_SIZE);
        while (!closing) {
            if (queue.drainTo(batch, BATCH_SIZE) < BATCH_SIZE) {
                // A wait for each span would wake this thread as often as spans end.
                LockSupport.parkNanos(DELAY.toNanos());
                queue.drainTo(batch, BATCH_SIZE - batch.size());
            }
            if (!batch.isEmpty()) {
                export(batch, timeout);
                batch.clear();
            }
        }
    }

    private void export(List<ReadableSpan> ended, Duration wait) {
        boolean taken;
        try {
            List<SpanData> batch = ended.stream().map(ReadableSpan::toSpanData).toList();
            // Tries are repeated within the timeout of each: the whole is bounded here.
            taken = exporter.export(batch)
                    .join(wait.toMillis(), TimeUnit.MILLISECONDS)
                    .isSuccess();
        } catch (Throwable e) { // an Error too: nobody would start the thread again
            log.debug("spans could not be exported", e);
            taken = false;
        }
        (taken ? exported : failed).addAndGet(ended.size());
    }

    /** Sends what waits within the time for that; the rest is dropped. */
    @Override
    public CompletableResultCode shutdown() {
        if (closing) {
            return CompletableResultCode.ofSuccess();
        }
        long end = System.nanoTime() + stopTimeout.toNanos();
        closing = true;
        LockSupport.unpark(worker);
        try {
            worker.join(Math.max(1, stopTimeout.toMillis()));
            var rest = new ArrayList<ReadableSpan>();
            while (queue.drainTo(rest, BATCH_SIZE) > 0) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    dropped.addAndGet(rest.size() + queue.size());
                    queue.clear();
                    break;
                }
                export(rest, Duration.ofNanos(left));
                rest.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // It waits for requests under way, which may take as long as the collector lets them.
        Thread.startVirtualThread(exporter::shutdown);
        return CompletableResultCode.ofSuccess();
    }
}
