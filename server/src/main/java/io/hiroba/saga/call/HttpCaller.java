package io.hiroba.saga.call;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RetryAfter;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.TimedOut;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Calls services over HTTP: {@code POST endpoint/method} with the input as JSON. Redirects are not followed. */
final class HttpCaller implements AutoCloseable {

    static final int MAX_ANSWER_SIZE = 1 << 20;

    private static final Logger log = LoggerFactory.getLogger(HttpCaller.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Bounds a Retry-After header. */
    static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

    private final InstantSource clock;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    HttpCaller(InstantSource clock) {
        this.clock = clock;
        client = HttpClient.newBuilder()
                .executor(threads)
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    StepOutcome call(Endpoint endpoint, StepCall call) {
        URI address;
        try {
            address = endpoint.at(call.method());
        } catch (IllegalArgumentException e) {
            return Failed.nonRetryable(Text.of("saga.journal.method-outside"));
        }
        // Not the timeout of the request, which covers only the headers of the answer.
        var answer = client.sendAsync(request(endpoint, address, call), info -> new BoundedBody(MAX_ANSWER_SIZE));
        try {
            return outcome(call, answer.get(call.timeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return new TimedOut(Text.of(
                    "saga.journal.no-answer",
                    "milliseconds",
                    Long.toString(call.timeout().toMillis())));
        } catch (ExecutionException e) {
            log.warn(
                    "{} could not be reached: {}",
                    CallDescription.of(call),
                    CallDescription.excerpt(String.valueOf(e.getCause())));
            return Failed.retryable(Text.of("saga.journal.unreachable"));
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            return Failed.retryable(Text.of("saga.journal.interrupted"));
        }
    }

    private static HttpRequest request(Endpoint endpoint, URI address, StepCall call) {
        return HttpRequest.newBuilder(address)
                // Without TLS, HTTP/2 would need an upgrade, which some servers refuse.
                .version(endpoint.isEncrypted() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("User-Agent", "Hiroba")
                .header("Idempotency-Key", call.idempotencyKey())
                .header("Saga-Id", call.saga().toString())
                .header("Saga-Step", Endpoint.encoded(call.stepName()))
                .header("Saga-Attempt", Integer.toString(call.attempt()))
                .header("traceparent", TraceContext.of(call))
                .POST(BodyPublishers.ofByteArray(Json.bytes(call.input())))
                .build();
    }

    private StepOutcome outcome(StepCall call, HttpResponse<BoundedBody.Read> response) {
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return done(call, response.body());
        }
        var reason = Text.of("saga.journal.answered", "code", Integer.toString(status));
        log.warn(
                "{} answered with {}: {}",
                CallDescription.of(call),
                status,
                CallDescription.excerpt(response.body().bytes()));
        if (!isTransient(status)) {
            return Failed.nonRetryable(reason);
        }
        var wait = response.headers()
                .firstValue("Retry-After")
                .map(header -> RetryAfter.parse(header, clock, MAX_RETRY_AFTER))
                .orElse(null);
        return new Failed(reason, false, wait);
    }

    private static boolean isTransient(int status) {
        return status == 408 || status == 425 || status == 429 || status >= 500;
    }

    /** The service succeeded, so the step is compensated if the saga fails, whatever the answer is. */
    private static StepOutcome done(StepCall call, BoundedBody.Read body) {
        if (!body.complete()) {
            log.warn("{} did it, and answered more than 1 MB, which is not kept", CallDescription.of(call));
            return Done.WITHOUT_ANSWER;
        }
        if (!body.bytes().hasRemaining()) {
            return Done.WITHOUT_ANSWER;
        }
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(body.bytes().duplicate());
            var answer = Json.read(text.toString(), JsonNode.class);
            if (StorableJson.isStorable(answer)) {
                return new Done(answer);
            }
        } catch (CharacterCodingException | Problem e) {
            log.debug("No JSON to be kept", e);
        }
        log.warn(
                "{} did it, and answered what is no JSON to be kept: {}",
                CallDescription.of(call),
                CallDescription.excerpt(body.bytes()));
        return Done.WITHOUT_ANSWER;
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
