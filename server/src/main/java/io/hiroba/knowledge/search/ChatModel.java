package io.hiroba.knowledge.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.knowledge.search.ChatConfig.ModelConfig;
import io.hiroba.knowledge.search.Prompt.Turn;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.trace.TraceSpan;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A client of a chat model with streamed answers, by OpenAI's or Anthropic's API. It sends texts and no tools. */
final class ChatModel implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final String SYSTEM = "system";

    /** Anthropic's API wants a bound; answers from passages are shorter. */
    private static final int MAX_TOKENS = 4096;

    private final ModelConfig config;
    private final URI address;
    private final HttpClient client;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("chat-watch").factory());

    private final ChatCompletion.TokenListener answered;

    ChatModel(ModelConfig config) {
        this(config, (in, out) -> {});
    }

    /** @param answered is told of each answer */
    ChatModel(ModelConfig config, ChatCompletion.TokenListener answered) {
        this.config = config;
        this.answered = answered;
        this.address = URI.create(
                config.baseUrl().replaceFirst("/+$", "") + (isAnthropic() ? "/messages" : "/chat/completions"));
        // A redirect would send the key to another host.
        this.client = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .followRedirects(Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT.compareTo(config.timeout()) < 0 ? CONNECT_TIMEOUT : config.timeout())
                .build();
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Asked(
            String model,
            List<Turn> messages,
            boolean stream,
            @JsonProperty("stream_options") @Nullable StreamOptions options) {}

    private record StreamOptions(
            @JsonProperty("include_usage") boolean includeUsage) {}

    /** As above, in Anthropic's API: what the model is told before the conversation stands beside it. */
    private record AskedAnthropic(
            String model,
            @JsonProperty("max_tokens") int maxTokens,
            String system,
            List<Turn> messages,
            boolean stream) {}

    private boolean isAnthropic() {
        return config.provider() == ChatConfig.Provider.ANTHROPIC;
    }

    private Object asked(List<Turn> turns) {
        if (!isAnthropic()) {
            return new Asked(config.model(), turns, true, config.hasPrice() ? new StreamOptions(true) : null);
        }
        var system = turns.stream()
                .filter(turn -> turn.role().equals(SYSTEM))
                .map(Turn::content)
                .collect(Collectors.joining("\n\n"));
        var said = turns.stream().filter(turn -> !turn.role().equals(SYSTEM)).toList();
        return new AskedAnthropic(config.model(), MAX_TOKENS, system, said, true);
    }

    /** Sends the request; the answer is read by {@link ChatCompletion#run}. */
    ChatCompletion ask(List<Turn> turns) {
        var span = TraceSpan.current()
                .child("chat " + config.model(), TraceSpan.Kind.CLIENT)
                .set("gen_ai.operation.name", "chat")
                .set("gen_ai.request.model", config.model());
        var request = HttpRequest.newBuilder(address)
                .timeout(config.timeout())
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(BodyPublishers.ofByteArray(Json.bytes(asked(turns))));
        if (isAnthropic()) {
            request.header("anthropic-version", "2023-06-01");
        }
        if (!config.key().isEmpty()) {
            request.header(
                    isAnthropic() ? "x-api-key" : "Authorization",
                    isAnthropic()
                            ? config.key().value()
                            : "Bearer " + config.key().value());
        }
        var traceparent = span.recordedTraceparent();
        if (traceparent != null) {
            request.header("traceparent", traceparent);
        }
        var response = client.sendAsync(request.build(), BodyHandlers.ofInputStream());
        return new ChatCompletion(response, config.timeout(), watch, answered, span);
    }

    @Override
    public void close() {
        watch.shutdownNow();
        client.shutdownNow();
    }
}
