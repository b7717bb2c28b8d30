package io.hiroba.knowledge.search;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.search.SearchConfig.RerankConfig;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.trace.TraceSpan;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of a service with the rerank API of Cohere and Jina. Neither the key nor a text gets into a message, since
 * the service's own messages are not repeated.
 */
final class HttpReranker implements Reranker {

    private static final long MAX_RESPONSE = 1 << 20;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RerankConfig config;
    private final URI address;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    HttpReranker(RerankConfig config) {
        this.config = config;
        address = URI.create(config.baseUrl().replaceFirst("/+$", "") + "/rerank");
        // A redirect would send the key to another host.
        client = HttpClient.newBuilder()
                .executor(threads)
                .connectTimeout(config.timeout())
                .followRedirects(Redirect.NEVER)
                .build();
    }

    private record Question(
            String model,
            String query,
            List<String> documents,
            @JsonProperty("top_n") int topN) {}

    private record Answer(@Nullable List<Item> results) {}

    private record Item(
            @Nullable Integer index,
            @JsonProperty("relevance_score") @Nullable Double score) {}

    @Override
    public double[] scores(String query, List<String> passages) throws ProviderException {
        var span = TraceSpan.current()
                .child("rerank " + config.model(), TraceSpan.Kind.CLIENT)
                .set("gen_ai.request.model", config.model())
                .set("hiroba.texts", passages.size());
        try {
            return span.<double[], ProviderException>within(() -> asked(query, passages));
        } catch (ProviderException e) {
            span.fail(e.fault().name());
            throw e;
        } finally {
            span.end();
        }
    }

    private double[] asked(String query, List<String> passages) throws ProviderException {
        var answer = client.sendAsync(
                request(new Question(config.model(), query, passages, passages.size())),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_RESPONSE));
        try {
            var response = answer.get(config.timeout().toNanos(), TimeUnit.NANOSECONDS);
            return probabilities(scores(response, passages.size()));
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "no answer in time", null, e);
        } catch (ExecutionException e) {
            throw new ProviderException(Fault.UNREACHABLE, "no answer from " + address.getHost(), null, e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new ProviderException(Fault.UNREACHABLE, "interrupted", null, e);
        }
    }

    private HttpRequest request(Question question) {
        var request = HttpRequest.newBuilder(address)
                // Without TLS, HTTP/2 needs an upgrade, which some servers refuse.
                .version("https".equals(address.getScheme()) ? Version.HTTP_2 : Version.HTTP_1_1)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("User-Agent", "Hiroba")
                .POST(BodyPublishers.ofByteArray(Json.bytes(question)));
        if (!config.key().isEmpty()) {
            request.header("Authorization", "Bearer " + config.key().value());
        }
        var traceparent = TraceSpan.current().recordedTraceparent();
        if (traceparent != null) {
            request.header("traceparent", traceparent);
        }
        return request.build();
    }

    private static double[] scores(HttpResponse<byte[]> response, int count) throws ProviderException {
        int status = response.statusCode();
        if (status < 200 || status > 299) {
            throw new ProviderException(fault(status), "the service answered with " + status);
        }
        Answer answer;
        try {
            answer = JSON.readValue(response.body(), Answer.class);
        } catch (JacksonException e) {
            // Without the cause, which quotes the response.
            throw new ProviderException(Fault.BAD_ANSWER, "the answer is not what was agreed");
        }
        var items = answer == null ? null : answer.results();
        if (items == null || items.size() != count) {
            throw new ProviderException(Fault.BAD_ANSWER, "the answer has not a score for each passage");
        }
        var scores = new double[count];
        Arrays.fill(scores, Double.NaN);
        for (var item : items) {
            var index = item == null ? null : item.index();
            var score = item == null ? null : item.score();
            if (index == null || score == null || index < 0 || index >= count || !Double.isNaN(scores[index])) {
                throw new ProviderException(Fault.BAD_ANSWER, "the answer has not a score for each passage");
            }
            scores[index] = score;
        }
        return scores;
    }

    private static Fault fault(int status) {
        return switch (status) {
            case 429 -> Fault.RATE_LIMIT;
            case 401, 403 -> Fault.AUTHENTICATION_ERROR;
            case 400, 413, 422 -> Fault.TEXT_REFUSED;
            default -> status >= 500 ? Fault.SERVER_ERROR : Fault.UNREACHABLE;
        };
    }

    /** Some servers, such as llama.cpp's, answer with logits. */
    private static double[] probabilities(double[] scores) {
        return Arrays.stream(scores).allMatch(score -> score >= 0 && score <= 1)
                ? scores
                : Arrays.stream(scores).map(score -> 1 / (1 + Math.exp(-score))).toArray();
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
