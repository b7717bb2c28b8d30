package io.hiroba.platform.events;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The spans of a batch of events: one in each trace in which some of them were appended, so that each trace goes on to what its events
 * led to. The statements of the batch are shown in the first; the others have a link to it.
 */
final class BatchSpans {

    /** A batch of 1,000 events may have as many traces: of the others, nothing more is said. */
    private static final int MAX_TRACES = 64;

    private static final int TRACE_END = 35;

    private final List<TraceSpan> spans;
    private final boolean isOneTrace;

    private BatchSpans(List<TraceSpan> spans, boolean isOneTrace) {
        this.spans = spans;
        this.isOneTrace = isOneTrace;
    }

    /** Without those of events that change nothing for the handler. */
    static BatchSpans begin(Tracing tracing, String consumer, EventHandler handler, List<Event> events) {
        if (!tracing.isOn()) {
            return new BatchSpans(List.of(), false);
        }
        var contexts = new LinkedHashMap<String, String>();
        boolean hasUntraced = false;
        for (var event : events) {
            var context = event.traceparent();
            if (!handler.isAffectedBy(event.type())) {
                continue;
            }
            if (context == null) {
                hasUntraced = true;
            } else {
                contexts.putIfAbsent(context.substring(0, Math.min(TRACE_END, context.length())), context);
            }
        }
        var spans = new ArrayList<TraceSpan>();
        for (var context : contexts.values().stream().limit(MAX_TRACES).toList()) {
            var span = tracing.resume(context, "events " + consumer, TraceSpan.Kind.CONSUMER)
                    .set("messaging.batch.message_count", events.size());
            if (!spans.isEmpty()) {
                span.link(spans.getFirst());
            }
            spans.add(span);
        }
        return new BatchSpans(spans, contexts.size() == 1 && !hasUntraced);
    }

    /** Does {@code work} in them. The events that it appends belong to a trace only where no others were in the batch. */
    void run(Tx tx, Runnable work) {
        if (spans.isEmpty()) {
            work.run();
            return;
        }
        var others = spans.subList(1, spans.size());
        try {
            spans.getFirst().run(() -> {
                if (isOneTrace) {
                    tx.joinTrace();
                }
                work.run();
            });
        } catch (Throwable failure) {
            others.forEach(span -> span.fail(failure.getClass().getSimpleName()));
            throw failure;
        } finally {
            others.forEach(TraceSpan::end);
        }
    }
}
