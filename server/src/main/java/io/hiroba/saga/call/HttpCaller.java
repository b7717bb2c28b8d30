package io.hiroba.saga.call;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RetryAfter;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.Lazy;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.TimedOut;
import io.hiroba.saga.call.StepOutcome.Unkept;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Calls services over HTTP: {@code POST endpoint/method} with the input as JSON. Redirects are not followed. */
final class HttpCaller implements AutoCloseable {

    static final int MAX_ANSWER_SIZE = 1 << 20;

    private static final Logger log = LoggerFactory.getLogger(HttpCaller.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Bounds a Retry-After header. */
    static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

    private final InstantSource clock;
    private final RefusedAnswers refusals;
    private final HttpConnections connections = new HttpConnections(CONNECT_TIMEOUT);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** For endpoints with TLS, where it speaks HTTP/2 as well. */
    private final Lazy<HttpClient> client;

    HttpCaller(InstantSource clock, RefusedAnswers refusals) {
        this.clock = clock;
        this.refusals = refusals;
        client = Lazy.of(() -> HttpClient.newBuilder()
                .executor(threads)
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build());
    }

    StepOutcome call(Endpoint endpoint, CallSecrets secrets, StepCall call) {
        return call(endpoint, secrets, call, null);
    }

    /** As above; with {@code taskToken} the service may answer 202 and say later how it ended. */
    StepOutcome call(Endpoint endpoint, CallSecrets secrets, StepCall call, @Nullable String taskToken) {
        URI address;
        try {
            address = endpoint.at(call.method());
        } catch (IllegalArgumentException e) {
            return Failed.nonRetryable(Text.of("saga.journal.method-outside"));
        }
        var body = Json.bytes(call.input());
        var headers = new HashMap<>(headers(address, secrets, call, body));
        if (taskToken != null) {
            headers.put("Hiroba-Task-Token", taskToken);
        }
        try {
            var answer = endpoint.isEncrypted()
                    ? exchange(address, headers, body, call.timeout())
                    : connections.exchange(endpoint, request(address, headers, body), MAX_ANSWER_SIZE, call.timeout());
            return taskToken != null && answer.status() == 202 ? new StepOutcome.Pending() : outcome(call, answer);
        } catch (TimeoutException e) {
            return new TimedOut(Text.of("saga.journal.no-answer", "time", DurationText.text(call.timeout())));
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                return interrupted();
            }
            log.warn(
                    "{} could not be reached: {}",
                    CallDescription.of(call),
                    CallDescription.excerpt(String.valueOf(e)));
            var failed = Failed.retryable(Text.of("saga.journal.unreachable"));
            return wasSent(e) ? failed.asMaybeDone() : failed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return interrupted();
        }
    }

    private static StepOutcome interrupted() {
        return Failed.retryable(Text.of("saga.journal.interrupted")).asMaybeDone();
    }

    /** Whether the request may have been sent: it was not where no connection was made. */
    static boolean wasSent(Throwable e) {
        for (Throwable each = e; each != null; each = each.getCause()) {
            if (each instanceof ConnectException
                    || each instanceof UnknownHostException
                    || each instanceof UnresolvedAddressException
                    || each instanceof SocketTimeoutException
                    || each instanceof HttpConnectTimeoutException
                    || each instanceof SSLHandshakeException) {
                return false;
            }
        }
        return true;
    }

    private HttpAnswer exchange(URI address, Map<String, String> headers, byte[] body, Duration timeout)
            throws IOException, TimeoutException, InterruptedException {
        var request = HttpRequest.newBuilder(address).POST(BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        // Not the timeout of the request, which covers only the headers of the answer.
        var sent = client.get().sendAsync(request.build(), info -> new BoundedBody(MAX_ANSWER_SIZE));
        try {
            var answer = sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return new HttpAnswer(
                    answer.statusCode(),
                    new HttpAnswer.Headers(
                            answer.headers().firstValue("Content-Type").orElse(null),
                            answer.headers().firstValue("X-Request-Id").orElse(null),
                            answer.headers().firstValue("Retry-After").orElse(null)),
                    answer.body());
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            sent.cancel(true);
        }
    }

    private static ByteBuffer request(URI address, Map<String, String> headers, byte[] body) {
        var head = new StringBuilder("POST ")
                .append(address.getRawPath())
                .append(" HTTP/1.1\r\nHost: ")
                .append(address.getRawAuthority())
                .append("\r\nContent-Length: ")
                .append(body.length)
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        var bytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(bytes.length + body.length)
                .put(bytes)
                .put(body)
                .flip();
    }

    private Map<String, String> headers(URI address, CallSecrets secrets, StepCall call, byte[] body) {
        var common = headers(call);
        var authorization = secrets.authorization();
        if (authorization == null && !secrets.isSigning()) {
            return common;
        }
        var all = new HashMap<>(common);
        if (authorization != null) {
            all.put("Authorization", authorization);
        }
        if (secrets.isSigning()) {
            all.put(
                    CallSecrets.SIGNATURE,
                    secrets.signature(clock.instant(), address.getRawPath(), call.idempotencyKey(), body));
        }
        return all;
    }

    /** None has a value that somebody else chose: those are encoded or were checked before. */
    private static Map<String, String> headers(StepCall call) {
        return Map.of(
                "Content-Type",
                "application/json",
                "Accept",
                "application/json",
                "User-Agent",
                "Hiroba",
                "Idempotency-Key",
                call.idempotencyKey(),
                "Saga-Id",
                call.saga().toString(),
                "Saga-Step",
                Endpoint.encoded(call.stepName()),
                "Saga-Attempt",
                Integer.toString(call.attempt()),
                "traceparent",
                TraceContext.of(call));
    }

    private StepOutcome outcome(StepCall call, HttpAnswer response) {
        int status = response.status();
        if (status >= 200 && status < 300) {
            return done(call, response);
        }
        var kept = refusals.of(response);
        var reason = RefusedAnswers.reason(Integer.toString(status), kept);
        log.warn("{} answered with {}: {}", CallDescription.of(call), status, CallDescription.excerpt(kept));
        if (!isTransient(status)) {
            return new Failed(reason, true, null, kept, isMaybeDone(status));
        }
        var header = response.headers().retryAfter();
        var retryAfter = header == null ? null : RetryAfter.parse(header, clock, MAX_RETRY_AFTER);
        return new Failed(reason, false, retryAfter, kept, isMaybeDone(status));
    }

    /** What broke inside the service may have broken after the effect; 501 and 503 say that it was not tried. */
    private static boolean isMaybeDone(int status) {
        return status >= 500 && status != 501 && status != 503;
    }

    private static boolean isTransient(int status) {
        return status == 408 || status == 425 || status == 429 || status >= 500;
    }

    /** The service succeeded, so the step is compensated if the saga fails, whatever the answer is. */
    private static StepOutcome done(StepCall call, HttpAnswer response) {
        var body = response.body();
        if (!body.complete()) {
            return notKept(call, response, Unkept.TOO_LARGE);
        }
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(body.bytes().duplicate())
                    .toString();
            if (text.isBlank()) {
                return Done.WITHOUT_ANSWER;
            }
            var answer = Json.mapper().readTree(text);
            return StorableJson.isStorable(answer) ? new Done(answer) : notKept(call, response, Unkept.NOT_STORABLE);
        } catch (CharacterCodingException | JacksonException e) {
            return notKept(call, response, Unkept.NO_JSON);
        } catch (ArithmeticException | NumberFormatException e) {
            // Jackson does not wrap what BigDecimal throws for 1e2147483648.
            return notKept(call, response, Unkept.NOT_STORABLE);
        }
    }

    private static StepOutcome notKept(StepCall call, HttpAnswer response, Unkept reason) {
        int size = response.body().bytes().remaining();
        log.warn("{} did it; its answer is not kept: {}, {} bytes read", CallDescription.of(call), reason, size);
        return Done.notKept(Integer.toString(response.status()), reason);
    }

    @Override
    public void close() {
        connections.close();
        client.made().ifPresent(HttpClient::shutdownNow);
        threads.shutdownNow();
    }
}
