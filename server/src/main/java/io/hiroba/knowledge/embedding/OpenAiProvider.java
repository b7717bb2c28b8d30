package io.hiroba.knowledge.embedding;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RetryAfter;
import io.hiroba.platform.trace.TraceSpan;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider with OpenAI's embeddings API. Neither the key nor a text gets into a message: the service's error
 * messages are not repeated, since they may quote both.
 */
final class OpenAiProvider implements EmbeddingProvider {

    static final String NAME = "openai";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** After it, a search goes by keyword only. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(10);
    /** The approximate characters of a number in a vector. */
    private static final long MAX_NUMBER_LENGTH = 40;

    private static final long RESPONSE_OVERHEAD = 1 << 20;
    /** The maximum of Retry-After, in case a service names the year 3000. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(15);

    private static final JsonMapper JSON = JsonMapper.shared();

    private final URI address;
    private final SecretText key;
    private final Model model;
    private final Duration timeout;
    private final InstantSource clock;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;
    private final LongConsumer usage;

    OpenAiProvider(String baseUrl, SecretText key, Model model, Duration timeout, InstantSource clock) {
        this(baseUrl, key, model, timeout, clock, tokens -> {});
    }

    /** @param usage is told the tokens of each answer, where the service reports them */
    OpenAiProvider(
            String baseUrl, SecretText key, Model model, Duration timeout, InstantSource clock, LongConsumer usage) {
        this.usage = usage;
        this.address = URI.create(baseUrl.endsWith("/") ? baseUrl + "embeddings" : baseUrl + "/embeddings");
        this.key = key;
        this.model = model;
        this.timeout = timeout;
        this.clock = clock;
        client = HttpClient.newBuilder()
                .executor(threads)
                .connectTimeout(min(CONNECT_TIMEOUT, timeout))
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    private record Question(
            String model,
            List<String> input,
            int dimensions,
            @JsonProperty("encoding_format") String encodingFormat) {}

    /** @param usage of any shape, for it must not cost an answer */
    private record Answer(
            @Nullable List<Item> data, @Nullable JsonNode usage) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Item(@Nullable Integer index, float @Nullable [] embedding) {}

    @Override
    public List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException {
        var patience = purpose == Purpose.QUERY ? min(QUERY_TIMEOUT, timeout) : timeout;
        long largest = RESPONSE_OVERHEAD + MAX_NUMBER_LENGTH * model.dimensions() * texts.size();
        // Not the timeout of the request, which ends with the headers of the response.
        var answer = client.sendAsync(request(texts), BodyHandlers.limiting(BodyHandlers.ofByteArray(), largest));
        try {
            return vectors(answer.get(patience.toNanos(), TimeUnit.NANOSECONDS), texts.size());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new ProviderException(
                    Fault.EMBEDDING_API_TIMEOUT, "no answer within " + patience.toMillis() + " ms", null, e);
        } catch (ExecutionException e) {
            throw new ProviderException(fault(e.getCause()), "no answer from " + address.getHost(), null, e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new ProviderException(Fault.UNREACHABLE, "interrupted", null, e);
        }
    }

    private HttpRequest request(List<String> texts) {
        var encrypted = "https".equals(String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT));
        var request = HttpRequest.newBuilder(address)
                // HTTP/1.1: without TLS, HTTP/2 needs an upgrade, which some servers refuse.
                .version(encrypted ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("User-Agent", "Hiroba")
                .POST(BodyPublishers.ofByteArray(
                        Json.bytes(new Question(model.name(), texts, model.dimensions(), "float"))));
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key.value());
        }
        var traceparent = TraceSpan.current().recordedTraceparent();
        if (traceparent != null) {
            request.header("traceparent", traceparent);
        }
        return request.build();
    }

    private static Fault fault(@Nullable Throwable cause) {
        return switch (cause) {
            case HttpConnectTimeoutException e -> Fault.UNREACHABLE;
            case HttpTimeoutException e -> Fault.EMBEDDING_API_TIMEOUT;
            case ConnectException e -> Fault.UNREACHABLE;
            case SSLException e -> Fault.UNREACHABLE;
            case UnresolvedAddressException e -> Fault.UNREACHABLE;
            case IOException e -> Fault.SERVER_ERROR;
            case null, default -> Fault.SERVER_ERROR;
        };
    }

    private List<float[]> vectors(HttpResponse<byte[]> response, int count) throws ProviderException {
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return read(response.body(), count);
        }
        var wait = response.headers()
                .firstValue("Retry-After")
                .map(header -> RetryAfter.parse(header, clock, MAX_RETRY_AFTER))
                .orElse(null);
        throw new ProviderException(fault(status), "the service answered with " + status, wait, null);
    }

    private static Fault fault(int status) {
        return switch (status) {
            case 429 -> Fault.RATE_LIMIT;
            case 401, 403 -> Fault.AUTHENTICATION_ERROR;
            case 400, 413, 422 -> Fault.TEXT_REFUSED;
            case 408, 504 -> Fault.EMBEDDING_API_TIMEOUT;
            // Wrong path or host: an error of the configuration, not of a text.
            default -> status >= 500 ? Fault.SERVER_ERROR : Fault.UNREACHABLE;
        };
    }

    private List<float[]> read(byte[] body, int count) throws ProviderException {
        Answer answer;
        try {
            answer = JSON.readValue(body, Answer.class);
        } catch (JacksonException e) {
            // Without the cause, which quotes the response.
            throw new ProviderException(Fault.BAD_ANSWER, "the answer is not what was agreed");
        }
        var items = answer == null ? null : answer.data();
        var reported = answer == null ? null : answer.usage();
        if (items == null || items.size() != count) {
            throw new ProviderException(Fault.BAD_ANSWER, "the answer has not as many vectors as there were texts");
        }
        var vectors = new float[count][];
        for (int i = 0; i < count; i++) {
            var item = items.get(i);
            int index = item == null || item.index() == null ? i : item.index();
            var vector = item == null ? null : item.embedding();
            if (vector == null || index < 0 || index >= count || vectors[index] != null) {
                throw new ProviderException(Fault.BAD_ANSWER, "the answer has not a vector for each text");
            }
            vectors[index] = vector;
        }
        if (reported != null) {
            long tokens = reported.path("prompt_tokens").asLong(0);
            usage.accept(tokens);
            TraceSpan.current().set("gen_ai.usage.input_tokens", tokens);
        }
        return List.of(vectors);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
