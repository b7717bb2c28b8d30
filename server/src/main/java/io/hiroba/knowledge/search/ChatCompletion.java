package io.hiroba.knowledge.search;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.trace.TraceSpan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A streamed call to a chat model: server-sent events whose data are parts of the answer. */
final class ChatCompletion {

    /** The maximum size of a response: a service that sends more is broken. */
    private static final int MAX_BYTES = 4 << 20;

    /** The timeout of the whole answer, as a multiple of the timeout. */
    private static final int TOTAL_TIMEOUT_FACTOR = 10;

    private static final String END = "[DONE]";
    private static final Text TIMED_OUT = Text.of("knowledge.answer.timed-out");

    private final CompletableFuture<HttpResponse<InputStream>> response;
    private final Duration timeout;
    private final ScheduledExecutorService watch;
    private final long startedAt = System.nanoTime();
    private volatile long lastPart = startedAt;
    private volatile @Nullable Text stopped;
    private volatile @Nullable InputStream body;
    private final TokenListener answered;
    private final TraceSpan span;
    private long tokensIn;
    private long tokensOut;

    /** A listener to the tokens of an answer, as far as the service reports them. */
    @FunctionalInterface
    interface TokenListener {
        void answered(long in, long out);
    }

    /**
     * A call that is under way.
     *
     * @param timeout the time without a new part of the answer
     * @param answered is told once, also of an answer that was cut off, which has to be paid for too
     * @param span ends with the answer
     */
    ChatCompletion(
            CompletableFuture<HttpResponse<InputStream>> response,
            Duration timeout,
            ScheduledExecutorService watch,
            TokenListener answered,
            TraceSpan span) {
        this.answered = answered;
        this.span = span;
        this.response = response;
        this.timeout = timeout;
        this.watch = watch;
    }

    /** Passes on each part of the answer as it arrives, and returns at the end of the answer. */
    void run(Consumer<String> parts) throws ChatException {
        var interval = Math.max(10, timeout.toMillis() / 10);
        var watching = watch.scheduleAtFixedRate(this::checkTimeouts, interval, interval, TimeUnit.MILLISECONDS);
        try (var stream = opened()) {
            body = stream;
            if (stopped != null) {
                throw new IOException("stopped");
            }
            try {
                read(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)), parts);
            } finally {
                answered.answered(tokensIn, tokensOut);
                span.set("gen_ai.usage.input_tokens", tokensIn).set("gen_ai.usage.output_tokens", tokensOut);
            }
        } catch (IOException e) {
            span.fail("LOST");
            throw new ChatException(reason(Text.of("knowledge.answer.lost")));
        } catch (ChatException e) {
            span.fail("REFUSED");
            throw e;
        } finally {
            watching.cancel(false);
            span.end();
        }
    }

    /** Cancels the call by closing the connection. */
    void cancel() {
        stop(Text.of("knowledge.answer.cancelled"));
    }

    /** Only text counts: a service may keep the connection open with comments. */
    private void checkTimeouts() {
        long now = System.nanoTime();
        if (now - lastPart > timeout.toNanos()) {
            stop(TIMED_OUT);
        } else if (now - startedAt > timeout.toNanos() * TOTAL_TIMEOUT_FACTOR) {
            stop(Text.of("knowledge.answer.too-slow"));
        }
    }

    private void stop(Text reason) {
        if (stopped == null) {
            stopped = reason;
        }
        response.cancel(true);
        var open = body;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // Closed in any case.
            }
        }
    }

    private Text reason(Text otherwise) {
        var known = stopped;
        return known == null ? otherwise : known;
    }

    private InputStream opened() throws ChatException {
        try {
            var answer = response.get();
            if (answer.statusCode() != 200) {
                answer.body().close();
                throw new ChatException(
                        Text.of("knowledge.answer.status", "status", Integer.toString(answer.statusCode())));
            }
            lastPart = System.nanoTime();
            return answer.body();
        } catch (CancellationException | ExecutionException | IOException e) {
            boolean silent = e.getCause() instanceof HttpTimeoutException
                    && !(e.getCause() instanceof HttpConnectTimeoutException);
            throw new ChatException(reason(silent ? TIMED_OUT : Text.of("knowledge.answer.unreachable")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChatException(Text.of("knowledge.answer.stopping"));
        }
    }

    private void read(BufferedReader lines, Consumer<String> parts) throws IOException, ChatException {
        int bytes = 0;
        for (var line = line(lines, MAX_BYTES); line != null; line = line(lines, MAX_BYTES - bytes)) {
            bytes += line.length() + 1;
            if (line.startsWith("data:")) {
                var data = line.substring("data:".length()).strip();
                if (data.equals(END) || handleData(data, parts)) {
                    return;
                }
            }
        }
        throw new ChatException(Text.of("knowledge.answer.incomplete"));
    }

    /** The next line, of bounded length: the service is not trusted to end it. */
    private static @Nullable String line(BufferedReader lines, int max) throws IOException, ChatException {
        var line = new StringBuilder();
        for (int next = lines.read(); next != '\n'; next = lines.read()) {
            if (next < 0) {
                return line.isEmpty() ? null : line.toString();
            }
            if (line.length() >= max) {
                throw new ChatException(Text.of("knowledge.answer.too-long"));
            }
            line.append((char) next);
        }
        return line.toString();
    }

    /** Takes a part of the answer in OpenAI's form or in Anthropic's, which names its kind; true if it was the last one. */
    private boolean handleData(String data, Consumer<String> parts) throws ChatException {
        try {
            var json = JsonMapper.shared().readTree(data);
            if (json.has("error")) {
                throw new ChatException(Text.of("knowledge.answer.error"));
            }
            // The last one counts: some services report a sum with each part.
            var usage = json.has("message") ? json.path("message").path("usage") : json.path("usage");
            if (usage.isObject()) {
                tokensIn = usage.path("prompt_tokens")
                        .asLong(usage.path("input_tokens").asLong(tokensIn));
                tokensOut = usage.path("completion_tokens")
                        .asLong(usage.path("output_tokens").asLong(tokensOut));
            }
            var text = json.path("choices")
                    .path(0)
                    .path("delta")
                    .path("content")
                    .asString(json.path("delta").path("text").asString(""));
            if (!text.isEmpty()) {
                lastPart = System.nanoTime();
                parts.accept(text);
            }
            return json.path("type").asString("").equals("message_stop");
        } catch (JacksonException e) {
            throw new ChatException(Text.of("knowledge.answer.incompatible"));
        }
    }
}
