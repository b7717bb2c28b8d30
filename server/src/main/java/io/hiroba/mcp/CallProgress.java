package io.hiroba.mcp;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import java.util.LinkedHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a call, told as notifications to whoever asked for them. Each number is larger than the one before, as the protocol
 * wants it: where nothing else is known they are seconds, and between two steps the part of the next one that may be done.
 */
final class CallProgress {

    static final String METHOD = "notifications/progress";

    /** The time after which about half of a step is taken to be done. */
    private static final double HALF_SECONDS = 60;

    private final Object token;
    private final Consumer<JSONRPCNotification> listener;
    private final BooleanSupplier abandoned;
    private final long began = System.nanoTime();
    private boolean isCounted;
    private double last;
    private int done;
    private @Nullable Integer total;
    private @Nullable String message;

    /**
     * @param token by which the client knows what the notifications are about
     * @param abandoned whether nobody waits for the answer any more
     */
    CallProgress(Object token, Consumer<JSONRPCNotification> listener, BooleanSupplier abandoned) {
        this.token = token;
        this.listener = listener;
        this.abandoned = abandoned;
    }

    /** That of a call whose client did not ask for it. */
    static CallProgress untold(BooleanSupplier abandoned) {
        return new CallProgress("", notification -> {}, abandoned);
    }

    boolean isAbandoned() {
        return abandoned.getAsBoolean();
    }

    /** Says that parts will be counted, so that no seconds are told. */
    synchronized void count() {
        isCounted = true;
    }

    /** Tells that so many parts are done, if that is news. */
    synchronized void at(int parts, int of, String words) {
        boolean isNews = !words.equals(message) || parts != done;
        done = parts;
        total = of == 0 ? null : Integer.valueOf(of);
        message = words;
        if (isNews) {
            tell();
        }
    }

    /** Tells that the call is still being answered. */
    synchronized void tell() {
        double seconds = (System.nanoTime() - began) / 1e9;
        double counted = done + seconds / (seconds + HALF_SECONDS);
        double progress = !isCounted ? seconds : total == null ? counted : Math.min(total, counted);
        if (progress <= last) {
            return;
        }
        last = progress;
        var parameters = new LinkedHashMap<String, Object>();
        parameters.put("progressToken", token);
        parameters.put("progress", progress);
        if (total != null) {
            parameters.put("total", total);
        }
        if (message != null) {
            parameters.put("message", message);
        }
        listener.accept(new JSONRPCNotification(McpSchema.JSONRPC_VERSION, METHOD, parameters));
    }
}
