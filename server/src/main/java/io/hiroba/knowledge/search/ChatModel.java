package io.hiroba.knowledge.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.knowledge.search.ChatConfig.ModelConfig;
import io.hiroba.knowledge.search.Prompt.Turn;
import io.hiroba.platform.http.Json;
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
import org.jspecify.annotations.Nullable;

/** A client of an OpenAI-compatible chat model with streamed answers. It sends texts and no tools. */
final class ChatModel implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

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
        this.address = URI.create(config.baseUrl().replaceFirst("/+$", "") + "/chat/completions");
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

    /** Sends the request; the answer is read by {@link ChatCompletion#run}. */
    ChatCompletion ask(List<Turn> turns) {
        var request = HttpRequest.newBuilder(address)
                .timeout(config.timeout())
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(BodyPublishers.ofByteArray(Json.bytes(
                        new Asked(config.model(), turns, true, config.hasPrice() ? new StreamOptions(true) : null))));
        if (!config.key().isEmpty()) {
            request.header("Authorization", "Bearer " + config.key());
        }
        return new ChatCompletion(
                client.sendAsync(request.build(), BodyHandlers.ofInputStream()), config.timeout(), watch, answered);
    }

    @Override
    public void close() {
        watch.shutdownNow();
        client.shutdownNow();
    }
}
