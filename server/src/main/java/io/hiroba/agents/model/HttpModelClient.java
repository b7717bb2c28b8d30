package io.hiroba.agents.model;

import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.http.RetryAfter;
import io.hiroba.platform.trace.TraceSpan;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Calls one model of a service over HTTP and reads its answer while it is streamed. A call ends when its thread is interrupted,
 * when nothing arrives for the time that the service may be silent, and when its whole time is over; the connection is then closed,
 * by which services stop the model. Of what the service writes about an error, its code and a sentence are told, without what may be a key.
 */
final class HttpModelClient {

    private static final int MAX_REQUEST = 16 << 20;
    private static final int MAX_ANSWER = 4 << 20;
    private static final int MAX_REFUSAL = 64 << 10;
    private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);
    private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_.-]{1,60}");
    private static final Set<Integer> LATER = Set.of(408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529);

    private static final int MAX_SENTENCE = 300;

    /** What may be a key or a part of one, also with stars in it: a long word, or one that begins as keys do. */
    private static final Pattern SECRET = Pattern.compile(
            "(?i)\\b(?:sk|pk|bearer)[-_ ][\\p{Alnum}_*+/=.-]+|\\p{Alnum}{16,}\\.\\p{Alnum}{12,}|[\\p{Alnum}_*+/=-]{20,}");

    /** Errors within a stream that are over one day. */
    private static final Set<String> PASSING = Set.of(
            "overloaded_error",
            "api_error",
            "rate_limit_error",
            "server_error",
            "rate_limit_exceeded",
            "timeout_error");

    /** A limit that waiting does not lift. */
    private static final String NO_MONEY = "insufficient_quota";

    private final Supplier<HttpClient> http;
    private final InstantSource clock;
    private final Service service;

    /**
     * A model at its service.
     *
     * @param model the name that the service knows it by
     * @param silence the time that may pass without a part of the answer
     */
    record Service(ModelApi api, URI baseUrl, String model, SecretText key, Duration silence) {

        @Override
        public String toString() {
            return model + " at " + baseUrl.getHost();
        }
    }

    HttpModelClient(Supplier<HttpClient> http, InstantSource clock, Service service) {
        this.http = http;
        this.clock = clock;
        this.service = service;
    }

    ModelTurn call(ModelRequest request, Consumer<String> onText) throws ModelFailure, InterruptedException {
        var body = ModelApi.JSON.writeValueAsBytes(service.api().body(service.model(), request));
        if (body.length > MAX_REQUEST) {
            throw new ModelFailure("The conversation is too long for a model", false, null, null);
        }
        var span = TraceSpan.current()
                .child("chat " + service.model(), TraceSpan.Kind.CLIENT)
                .set("gen_ai.operation.name", "chat")
                .set("gen_ai.request.model", service.model());
        try {
            var turn = call(request, body, onText, span.recordedTraceparent());
            span.set("gen_ai.usage.input_tokens", turn.inputTokens())
                    .set("gen_ai.usage.output_tokens", turn.outputTokens());
            return turn;
        } catch (ModelFailure | InterruptedException e) {
            // What the failure says may quote the service.
            span.fail(e.getClass().getSimpleName());
            throw e;
        } finally {
            span.end();
        }
    }

    private ModelTurn call(ModelRequest request, byte[] body, Consumer<String> onText, @Nullable String traceparent)
            throws ModelFailure, InterruptedException {
        var end = System.nanoTime() + request.timeout().toNanos();
        var turn = service.api().begin(request, onText);
        try {
            var response = send(body, end, traceparent);
            if (response.statusCode() != 200) {
                throw refusal(response, end);
            }
            read(response, turn, end);
            return turn.toTurn();
        } catch (ModelFailure failure) {
            throw failure.having(turn.taken());
        }
    }

    private HttpResponse<Flow.Publisher<List<ByteBuffer>>> send(byte[] body, long end, @Nullable String traceparent)
            throws ModelFailure, InterruptedException {
        var base = service.baseUrl().toString().replaceFirst("/+$", "");
        var request = HttpRequest.newBuilder(URI.create(base + service.api().path()))
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(BodyPublishers.ofByteArray(body));
        service.api().headers(service.key().value()).forEach(request::header);
        if (traceparent != null) {
            request.header("traceparent", traceparent);
        }
        var response = http.get().sendAsync(request.build(), BodyHandlers.ofPublisher());
        try {
            return response.get(nextDeadline(end) - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            response.cancel(true);
            throw late(e);
        } catch (InterruptedException e) {
            response.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            var reached = e.getCause() instanceof HttpConnectTimeoutException ? "not reached in time" : "not reached";
            throw new ModelFailure("The model's service is " + reached, true, null, e);
        }
    }

    private long nextDeadline(long end) {
        var silence = System.nanoTime() + service.silence().toNanos();
        return silence - end < 0 ? silence : end;
    }

    private void read(HttpResponse<Flow.Publisher<List<ByteBuffer>>> response, PartialTurn turn, long end)
            throws ModelFailure, InterruptedException {
        try (var lines = new EventLines(MAX_ANSWER)) {
            response.body().subscribe(lines);
            read(lines, turn, end);
        } catch (EventLines.TooLong e) {
            throw new ModelFailure("The model's answer is too long", false, null, e);
        } catch (TimeoutException e) {
            throw late(e);
        } catch (IOException e) {
            throw new ModelFailure("The connection to the model's service broke", true, null, e);
        }
    }

    /** Only data count: a service may keep a connection open with comments. */
    private void read(EventLines lines, PartialTurn turn, long end)
            throws IOException, ModelFailure, InterruptedException, TimeoutException {
        var deadline = nextDeadline(end);
        for (var line = lines.next(deadline); line != null; line = lines.next(deadline)) {
            if (line.startsWith("data:")) {
                if (turn.take(line.substring("data:".length()).strip())) {
                    return;
                }
                deadline = nextDeadline(end);
            } else if (line.startsWith("{")) {
                // One that streams nothing has answered all the same.
                turn.begin();
            }
        }
        if (!turn.isStopped()) {
            throw new ModelFailure("The model's answer breaks off", true, null, null);
        }
    }

    private static ModelFailure late(Throwable cause) {
        return new ModelFailure("The model did not answer in time", true, null, cause);
    }

    private ModelFailure refusal(HttpResponse<Flow.Publisher<List<ByteBuffer>>> response, long end)
            throws InterruptedException {
        var text = new StringBuilder();
        try (var lines = new EventLines(MAX_REFUSAL)) {
            response.body().subscribe(lines);
            var deadline = nextDeadline(end);
            for (var line = lines.next(deadline); line != null; line = lines.next(deadline)) {
                text.append(line).append('\n');
            }
        } catch (IOException | TimeoutException e) {
            // The status says enough.
        }
        var error = error(text.toString());
        int status = response.statusCode();
        return new ModelFailure(
                        "The model's service answered with " + status
                                + said(error, service.key().value()),
                        LATER.contains(status) && !code(error).equals(NO_MONEY),
                        retryAfter(response.headers()),
                        null)
                .having(status);
    }

    private @Nullable Duration retryAfter(HttpHeaders headers) {
        return headers.firstValue("Retry-After")
                .map(value -> RetryAfter.parse(value, clock, MAX_RETRY_AFTER))
                .orElse(null);
    }

    private static JsonNode error(String body) {
        try {
            return ModelApi.JSON.readTree(body).path("error");
        } catch (JacksonException e) {
            return ModelApi.JSON.createObjectNode();
        }
    }

    /** A failure that the service reports in the middle of its answer. */
    static ModelFailure reported(JsonNode error) {
        var code = code(error);
        return new ModelFailure(
                "The model's service reported an error" + said(error, ""),
                code.isEmpty() || PASSING.contains(code),
                null,
                null);
    }

    /**
     * The service's own code and sentence of an error.
     *
     * @param key taken out before anything else is, which might leave a part of it; empty if it is not known
     */
    private static String said(JsonNode error, String key) {
        var code = code(error);
        var message = error.path("message").asString("");
        var sentence = SECRET.matcher(key.isEmpty() ? message : message.replace(key, "…"))
                .replaceAll("…")
                .replaceAll("[\\p{C}\\s]+", " ")
                .strip();
        var cut = sentence.codePointCount(0, sentence.length()) > MAX_SENTENCE
                ? sentence.substring(0, sentence.offsetByCodePoints(0, MAX_SENTENCE)) + "…"
                : sentence;
        return (code.isEmpty() ? "" : " (" + code + ")") + (cut.isEmpty() ? "" : ": " + cut);
    }

    /** The service's code of an error, if it looks like one. */
    private static String code(JsonNode error) {
        for (var name : List.of("code", "type")) {
            var code = error.path(name).asString("");
            if (CODE.matcher(code).matches()) {
                return code;
            }
        }
        return "";
    }
}
