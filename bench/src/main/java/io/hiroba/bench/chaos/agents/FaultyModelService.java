package io.hiroba.bench.chaos.agents;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hiroba.bench.chaos.agents.ModelCalls.Call;
import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** A service with OpenAI's chat API that injects faults until they are stopped. */
final class FaultyModelService implements AutoCloseable {

    static final String MODEL = "chaos";

    /** The tool that changes something. */
    static final String WRITER = "posts_create";

    /** The timeout of the servers. */
    static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration TOO_LONG = CLIENT_TIMEOUT.plusMillis(400);
    private static final Duration PACE = Duration.ofMillis(60);

    /** So that it counts fewer tokens than are estimated, as most models do. */
    private static final int BYTES_OF_TOKEN = 4;

    private final SplittableRandom random;
    private final ModelCalls calls;
    private final String mentioned;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private volatile boolean faultsStopped;

    /** @param mentioned the agent that answers of others mention */
    FaultyModelService(long seed, ModelCalls calls, String mentioned) {
        this.random = new SplittableRandom(seed);
        this.calls = calls;
        this.mentioned = mentioned;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    void stopFaults() {
        faultsStopped = true;
    }

    private ModelBehaviour behaviour() {
        if (faultsStopped) {
            return ModelBehaviour.WRITING;
        }
        synchronized (random) {
            return ModelBehaviour.any(random);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            var call = calls.read(body);
            var behaviour = behaviour();
            calls.count(behaviour);
            switch (behaviour) {
                case LIMITED -> refuse(exchange, 429, "1");
                case LIMITED_LONG -> refuse(exchange, 429, "30");
                case FAILING -> refuse(exchange, 500, "");
                case UNAVAILABLE -> refuse(exchange, 503, "");
                case UNPAID -> refuse(exchange, 402, "");
                case BROKEN -> {} // closed without a response
                case HANGING -> LockSupport.parkNanos(TOO_LONG.toNanos());
                default -> new Answer(exchange, call, body.length / BYTES_OF_TOKEN).write(behaviour);
            }
        }
    }

    private static void refuse(HttpExchange exchange, int status, String retryAfter) throws IOException {
        if (!retryAfter.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", retryAfter);
        }
        exchange.sendResponseHeaders(status, -1);
    }

    /** An answer that is streamed; each part is charged when it is sent, the question with the first. */
    private final class Answer {

        private final HttpExchange exchange;
        private final Call call;
        private final long tokensIn;
        private long tokensOut;
        private boolean begun;

        Answer(HttpExchange exchange, Call call, long tokensIn) {
            this.exchange = exchange;
            this.call = call;
            this.tokensIn = tokensIn;
        }

        void write(ModelBehaviour behaviour) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            var question = call.question();
            switch (behaviour) {
                case SILENT -> LockSupport.parkNanos(TOO_LONG.toNanos());
                case NONSENSE -> send("no JSON");
                case EMPTY -> finish("stop");
                case REFUSING -> finish("content_filter");
                case CUT -> say("Answer to " + question.number());
                case CUT_TOOL -> tool("people_list", "{\"lim");
                case UNKNOWN_TOOL -> finishTool("rm_rf", "{}");
                case BAD_ARGUMENTS -> finishTool("people_list", "{\"limit\": ");
                case TOOL -> {
                    if (call.hasToolResult()) {
                        answer();
                    } else {
                        finishTool("people_list", "{\"limit\": 3}");
                    }
                }
                case WRITING -> {
                    if (call.hasToolResult() || !call.offers(WRITER)) {
                        answer();
                    } else {
                        var note = ChangesCheck.NOTE + question.number() + " of " + question.asker();
                        finishTool(WRITER, Json.text(Map.of("content", note)));
                    }
                }
                case ENDLESS -> {
                    say(question.answered());
                    long most = call.body().path("max_tokens").asLong(1);
                    while (tokensOut < most - 1 && !faultsStopped) {
                        say(" la");
                        LockSupport.parkNanos(PACE.toNanos());
                    }
                    finish("length");
                }
                case SLOW -> {
                    for (var word : question.answered().split("(?<= )", -1)) {
                        say(word);
                        LockSupport.parkNanos(PACE.toNanos());
                    }
                    finish("stop");
                }
                case MENTIONING -> {
                    say(question.answered());
                    if (!call.agent().equals(mentioned)) {
                        say(" @%s %s"
                                .formatted(mentioned, new Question(question.number() + "b", call.agent()).asked()));
                    }
                    finish("stop");
                }
                default -> answer();
            }
        }

        private void answer() throws IOException {
            say(call.question().answered());
            finish("stop");
        }

        private void say(String text) throws IOException {
            written(text);
            send(Json.text(Map.of("choices", List.of(Map.of("delta", Map.of("content", text))))));
        }

        private void tool(String name, String arguments) throws IOException {
            written(arguments);
            var function = Map.of("name", name, "arguments", arguments);
            var part = Map.of("index", 0, "id", "call", "function", function);
            send(Json.text(Map.of("choices", List.of(Map.of("delta", Map.of("tool_calls", List.of(part)))))));
        }

        private void finishTool(String name, String arguments) throws IOException {
            tool(name, arguments);
            finish("tool_calls");
        }

        private void written(String text) {
            long some = Math.ceilDiv(text.length(), BYTES_OF_TOKEN);
            tokensOut += some;
            calls.charge(call, some);
        }

        private void finish(String reason) throws IOException {
            send(Json.text(Map.of(
                    "choices",
                    List.of(Map.of("delta", Map.of(), "finish_reason", reason)),
                    "usage",
                    Map.of("prompt_tokens", tokensIn, "completion_tokens", Math.max(1, tokensOut)))));
            send("[DONE]");
        }

        private void send(String data) throws IOException {
            if (!begun) {
                begun = true;
                calls.chargeQuestion(call, tokensIn);
            }
            exchange.getResponseBody().write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
