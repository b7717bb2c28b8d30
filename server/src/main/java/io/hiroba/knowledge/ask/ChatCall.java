package io.hiroba.knowledge.ask;

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

/** A call to a model that is under way: server-sent events, whose data are pieces of its answer. */
final class ChatCall {

    /** No answer is as long as that; a service that sends more is broken. */
    private static final int MOST_BYTES = 4 << 20;

    /** How many times its patience a whole answer may take, however steadily words come. */
    private static final int LONGEST = 10;

    private static final String END = "[DONE]";
    private static final String SILENT = "The model said nothing for too long.";

    private final CompletableFuture<HttpResponse<InputStream>> response;
    private final Duration patience;
    private final ScheduledExecutorService watch;
    private final long begun = System.nanoTime();
    private volatile long heard = begun;
    private volatile @Nullable String stopped;
    private volatile @Nullable InputStream body;

    /** @param patience how long the model may be silent */
    ChatCall(CompletableFuture<HttpResponse<InputStream>> response, Duration patience, ScheduledExecutorService watch) {
        this.response = response;
        this.patience = patience;
        this.watch = watch;
    }

    /** Hands on each piece of the answer as it comes, and returns at the answer's end. */
    void run(Consumer<String> words) throws ChatException {
        var pulse = Math.max(10, patience.toMillis() / 10);
        var watching = watch.scheduleAtFixedRate(this::look, pulse, pulse, TimeUnit.MILLISECONDS);
        try (var stream = opened()) {
            body = stream;
            if (stopped != null) {
                throw new IOException("stopped");
            }
            read(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)), words);
        } catch (IOException e) {
            throw new ChatException(reason("The connection to the model broke off."));
        } finally {
            watching.cancel(false);
        }
    }

    /** Ends the call: the model is told by the connection's end. */
    void cancel() {
        stop("Nobody is listening any more.");
    }

    /** Only text is speech: a service that keeps its connection open with comments may have nothing behind it. */
    private void look() {
        long now = System.nanoTime();
        if (now - heard > patience.toNanos()) {
            stop(SILENT);
        } else if (now - begun > patience.toNanos() * LONGEST) {
            stop("The model took too long.");
        }
    }

    private void stop(String reason) {
        if (stopped == null) {
            stopped = reason;
        }
        response.cancel(true);
        var open = body;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It is closed all the same.
            }
        }
    }

    private String reason(String otherwise) {
        var known = stopped;
        return known == null ? otherwise : known;
    }

    private InputStream opened() throws ChatException {
        try {
            var answer = response.get();
            if (answer.statusCode() != 200) {
                answer.body().close();
                throw new ChatException("The model's service refused with status %d.".formatted(answer.statusCode()));
            }
            heard = System.nanoTime();
            return answer.body();
        } catch (CancellationException | ExecutionException | IOException e) {
            boolean silent = e.getCause() instanceof HttpTimeoutException
                    && !(e.getCause() instanceof HttpConnectTimeoutException);
            throw new ChatException(reason(silent ? SILENT : "The model's service cannot be reached."));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChatException("The server is stopping.");
        }
    }

    private void read(BufferedReader lines, Consumer<String> words) throws IOException, ChatException {
        int bytes = 0;
        for (var line = line(lines, MOST_BYTES); line != null; line = line(lines, MOST_BYTES - bytes)) {
            bytes += line.length() + 1;
            if (line.startsWith("data:")) {
                var data = line.substring("data:".length()).strip();
                if (data.equals(END)) {
                    return;
                }
                take(data, words);
            }
        }
        throw new ChatException("The model's answer has no end.");
    }

    /** The next line, of bounded length: the service is not trusted to end it. */
    private static @Nullable String line(BufferedReader lines, int most) throws IOException, ChatException {
        var line = new StringBuilder();
        for (int next = lines.read(); next != '\n'; next = lines.read()) {
            if (next < 0) {
                return line.isEmpty() ? null : line.toString();
            }
            if (line.length() >= most) {
                throw new ChatException("The model's answer is too long.");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    private void take(String data, Consumer<String> words) throws ChatException {
        try {
            var json = JsonMapper.shared().readTree(data);
            if (json.has("error")) {
                throw new ChatException("The model's service reports an error.");
            }
            var text =
                    json.path("choices").path(0).path("delta").path("content").asString("");
            if (!text.isEmpty()) {
                heard = System.nanoTime();
                words.accept(text);
            }
        } catch (JacksonException e) {
            throw new ChatException("The model's service speaks another language than OpenAI's.");
        }
    }
}
