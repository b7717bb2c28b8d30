package io.hiroba.knowledge.search;

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

/** A client of an OpenAI-compatible chat model with streamed answers. It sends texts and no tools. */
final class ChatModel implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final ModelConfig config;
    private final URI address;
    private final HttpClient client;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("chat-watch").factory());

    public ChatModel(ModelConfig config) {
        this.config = config;
        this.address = URI.create(config.baseUrl().replaceFirst("/+$", "") + "/chat/completions");
        // A redirect would send the key to another host.
        this.client = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .followRedirects(Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT.compareTo(config.timeout()) < 0 ? CONNECT_TIMEOUT : config.timeout())
                .build();
    }

    private record Asked(String model, List<Turn> messages, boolean stream) {}

    /** Sends the request; the answer is read by {@link ChatCompletion#run}. */
    ChatCompletion ask(List<Turn> turns) {
        var request = HttpRequest.newBuilder(address)
                .timeout(config.timeout())
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(BodyPublishers.ofByteArray(Json.bytes(new Asked(config.model(), turns, true))));
        if (!config.key().isEmpty()) {
            request.header("Authorization", "Bearer " + config.key());
        }
        return new ChatCompletion(
                client.sendAsync(request.build(), BodyHandlers.ofInputStream()), config.timeout(), watch);
    }

    @Override
    public void close() {
        watch.shutdownNow();
        client.shutdownNow();
    }
}
