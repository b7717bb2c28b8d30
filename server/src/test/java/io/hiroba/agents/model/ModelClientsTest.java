package io.hiroba.agents.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.agents.model.ModelMessage.ToolResult;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.agents.model.ModelTurn.StandIn;
import io.hiroba.agents.model.ModelTurn.StopReason;
import io.hiroba.knowledge.search.ChatConfig.ModelConfig;
import io.hiroba.knowledge.search.ChatConfig.Provider;
import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.testkit.TestCollector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Calls of chat models over HTTP, to services that do as they are told, and to those that do not. */
class ModelClientsTest {

    private static final String KEY = "secret-key-of-the-model";
    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final ToolDefinition LOOK_UP = new ToolDefinition("look_up", "Looks up.", "{\"type\": \"object\"}");
    private static final ModelMessage HELLO = new ModelMessage.User("Hello");

    private final ScriptedService service = new ScriptedService();
    private final ScriptedService other = new ScriptedService();
    private final ModelClients openAi = clients(Provider.OPENAI);
    private final ModelClients anthropic = clients(Provider.ANTHROPIC);
    private final List<String> said = new ArrayList<>();

    @AfterEach
    void close() {
        openAi.close();
        anthropic.close();
        service.close();
        other.close();
    }

    private ModelClients clients(Provider provider) {
        var key = SecretText.of(KEY);
        return new ModelClients(
                Map.of(
                        "first",
                        new ModelConfig(service.url(), provider, "big-1", key, SILENCE, 0, 0, List.of("second")),
                        "alone",
                        new ModelConfig(service.url(), provider, "big-2", key, SILENCE, 0, 0, List.of()),
                        "hasty",
                        new ModelConfig(service.url(), provider, "big-3", key, SHORT, 0, 0, List.of("second")),
                        "second",
                        new ModelConfig(other.url(), Provider.OPENAI, "small", key, SILENCE, 0, 0, List.of("first"))),
                InstantSource.system(),
                Duration.ofMillis(1));
    }

    private static ModelRequest request(String model, ModelMessage... messages) {
        return new ModelRequest(model, "Be brief.", List.of(messages), List.of(LOOK_UP), 500, Duration.ofSeconds(20));
    }

    private ModelTurn call(ModelClients clients) throws ModelFailure, InterruptedException {
        return clients.call(request("alone", HELLO), said::add);
    }

    private ModelFailure failure(ModelClients clients) {
        var failure = catchThrowableOfType(ModelFailure.class, () -> call(clients));
        assertThat(failure).isNotNull();
        assertThat(failure.getMessage()).doesNotContain(KEY);
        return failure;
    }

    private JsonNode asked() {
        return ModelApi.JSON.readTree(service.asked().getLast().body());
    }

    private static String text(String content) {
        return "{'choices': [{'index': 0, 'delta': {'content': '%s'}, 'finish_reason': null}], 'usage': null}"
                .formatted(content);
    }

    private static String finish(String reason) {
        return "{'choices': [{'index': 0, 'delta': {}, 'finish_reason': '%s'}]}".formatted(reason);
    }

    private static String tool(String part) {
        return "{'choices': [{'delta': {'content': null, 'tool_calls': [{%s}]}}]}".formatted(part);
    }

    private static String block(String delta) {
        return "{'type': 'content_block_delta', 'index': 0, 'delta': {%s}}".formatted(delta);
    }

    private static String stop(String reason) {
        return "{'type': 'message_delta', 'delta': {'stop_reason': '%s'}, 'usage': {'output_tokens': 9}}"
                .formatted(reason);
    }

    @Test
    void aCallIsASpanWithItsTokensAndWithoutAWordOfTheConversation() throws Exception {
        service.thenEvents(
                text("Nobody may know"),
                finish("stop"),
                "{'choices': [], 'usage': {'prompt_tokens': 12, 'completion_tokens': 5}}",
                "[DONE]");
        try (var collector = TestCollector.start()) {
            try (var tracing = Tracing.open(collector.config(), new SimpleMeterRegistry())) {
                tracing.begin("run", TraceSpan.Kind.INTERNAL).<ModelTurn, Exception>call(() -> call(openAi));
            }
            var span = collector.spans().stream()
                    .filter(each -> each.name().equals("chat big-2"))
                    .findFirst()
                    .orElseThrow();
            assertThat(span.attributes())
                    .containsOnly(
                            Map.entry("gen_ai.operation.name", "chat"),
                            Map.entry("gen_ai.request.model", "big-2"),
                            Map.entry("gen_ai.usage.input_tokens", "12"),
                            Map.entry("gen_ai.usage.output_tokens", "5"));
            assertThat(service.asked().getLast().header("traceparent"))
                    .isEqualTo("00-%s-%s-01".formatted(span.trace(), span.id()));
        }
        service.thenEvents(text("Hello"), finish("stop"), "[DONE]");
        call(openAi);
        assertThat(service.asked().getLast().header("traceparent")).isEmpty();
    }

    @Test
    void openAiStreamsTextAndTools() throws Exception {
        service.thenEvents(
                text("Let me "),
                text("see."),
                tool("'index': 0, 'id': 'c1', 'type': 'function', 'function': {'name': 'look_up', 'arguments': ''}"),
                tool("'index': 0, 'function': {'arguments': '{\\'q\\': '}".replace("\\'", "\\\"")),
                tool("'index': 0, 'function': {'arguments': '7}'}"),
                tool("'index': 1, 'id': 'c2', 'function': {'name': 'look_up', 'arguments': ''}"),
                finish("tool_calls"),
                "{'choices': [], 'usage': {'prompt_tokens': 40, 'completion_tokens': 8}}",
                "[DONE]");
        assertThat(call(openAi))
                .isEqualTo(new ModelTurn(
                        "Let me see.",
                        List.of(new ToolCall("c1", "look_up", "{\"q\": 7}"), new ToolCall("c2", "look_up", "{}")),
                        StopReason.TOOLS,
                        40,
                        8));
        assertThat(said).containsExactly("", "Let me ", "see.");
        assertThat(service.asked().getFirst().path()).isEqualTo("/v1/chat/completions");
        assertThat(service.asked().getFirst().header("Authorization")).isEqualTo("Bearer " + KEY);
        assertThat(asked().path("model").asString()).isEqualTo("big-2");
        assertThat(asked().path("max_tokens").asInt()).isEqualTo(500);
        assertThat(asked().at("/messages/0/content").asString()).isEqualTo("Be brief.");
        assertThat(asked().at("/tools/0/function/name").asString()).isEqualTo("look_up");
        assertThat(asked().at("/tools/0/function/parameters/type").asString()).isEqualTo("object");
    }

    @Test
    void callsThatComeWholeAndWithoutAnIndexAreToldApart() throws Exception {
        service.thenEvents(
                tool("'id': 'a', 'function': {'name': 'look_up', 'arguments': '{}'}"),
                tool("'index': 0, 'id': 'b', 'function': {'name': 'look_up', 'arguments': {'q': 1}}"),
                tool("'function': {'name': 'look_up', 'arguments': ''}"),
                finish("stop"));
        var turn = call(openAi);
        assertThat(turn.stopReason()).isEqualTo(StopReason.TOOLS);
        assertThat(turn.toolCalls())
                .containsExactly(
                        new ToolCall("a", "look_up", "{}"),
                        new ToolCall("b", "look_up", "{\"q\":1}"),
                        new ToolCall("call_2", "look_up", "{}"));
        assertThat(turn.inputTokens()).as("estimated where none are reported").isPositive();
    }

    @Test
    void anthropicStreamsTextAndTools() throws Exception {
        service.thenEvents(
                "{'type': 'message_start', 'message': {'usage': {'input_tokens': 30, 'cache_read_input_tokens': 10, 'output_tokens': 1}}}",
                "{'type': 'content_block_start', 'index': 0, 'content_block': {'type': 'text', 'text': ''}}",
                "{'type': 'ping'}",
                block("'type': 'thinking_delta', 'thinking': 'hm'"),
                block("'type': 'text_delta', 'text': 'Let me see.'"),
                "{'type': 'content_block_stop', 'index': 0}",
                "{'type': 'content_block_start', 'index': 1, 'content_block': {'type': 'tool_use', 'id': 't1', 'name': 'look_up', 'input': {}}}",
                "{'type': 'content_block_delta', 'index': 1, 'delta': {'type': 'input_json_delta', 'partial_json': '{'}}",
                "{'type': 'content_block_delta', 'index': 1, 'delta': {'type': 'input_json_delta', 'partial_json': '}'}}",
                stop("tool_use"),
                "{'type': 'message_stop'}");
        assertThat(call(anthropic))
                .isEqualTo(new ModelTurn(
                        "Let me see.", List.of(new ToolCall("t1", "look_up", "{}")), StopReason.TOOLS, 40, 9));
        assertThat(service.asked().getFirst().path()).isEqualTo("/v1/messages");
        assertThat(service.asked().getFirst().header("x-api-key")).isEqualTo(KEY);
        assertThat(service.asked().getFirst().header("anthropic-version")).isNotEmpty();
        assertThat(asked().path("system").asString()).isEqualTo("Be brief.");
        assertThat(asked().at("/tools/0/input_schema/type").asString()).isEqualTo("object");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void aConversationWithToolsIsWrittenAsTheServiceWantsIt(Provider provider) throws Exception {
        boolean isOpenAi = provider == Provider.OPENAI;
        service.thenEvents(
                isOpenAi ? text("Seven.") : block("'type': 'text_delta', 'text': 'Seven.'"),
                isOpenAi ? finish("stop") : stop("end_turn"));
        var conversation = request(
                "big-2",
                HELLO,
                new ModelMessage.Assistant("", List.of(new ToolCall("t1", "look_up", "{\"q\":7}"))),
                new ModelMessage.ToolResults(List.of(new ToolResult("t1", "not there", true))));
        assertThat((isOpenAi ? openAi : anthropic).call(conversation, said::add).text())
                .isEqualTo("Seven.");
        var messages = asked().path("messages");
        if (isOpenAi) {
            assertThat(messages.at("/2/tool_calls/0/function/arguments").asString())
                    .isEqualTo("{\"q\":7}");
            assertThat(messages.at("/3/tool_call_id").asString()).isEqualTo("t1");
            assertThat(messages.at("/3/content").asString()).isEqualTo("Error: not there");
        } else {
            assertThat(messages.at("/1/content/0/input/q").asInt()).isEqualTo(7);
            assertThat(messages.at("/1/content").size()).as("no empty text").isEqualTo(1);
            assertThat(messages.at("/2/role").asString()).isEqualTo("user");
            assertThat(messages.at("/2/content/0/is_error").asBoolean()).isTrue();
        }
    }

    @Test
    void refusalsAndCutTurnsSaySo() throws Exception {
        service.thenEvents("{'choices': [{'delta': {'refusal': 'I will not.'}}]}", finish("stop"), "[DONE]")
                .thenEvents(finish("content_filter"), "[DONE]")
                .thenEvents(tool("'id': 'a', 'function': {'name': 'look_up', 'arguments': '{'}"), finish("length"))
                .thenEvents(stop("refusal"), "{'type': 'message_stop'}");
        var refused = call(openAi);
        assertThat(refused.stopReason()).isEqualTo(StopReason.REFUSED);
        assertThat(refused.text()).isEqualTo("I will not.");
        assertThat(call(openAi).stopReason()).isEqualTo(StopReason.REFUSED);
        var cut = call(openAi);
        assertThat(cut.stopReason()).isEqualTo(StopReason.LENGTH);
        assertThat(cut.toolCalls()).as("half a call is none").isEmpty();
        assertThat(call(anthropic).stopReason()).isEqualTo(StopReason.REFUSED);
    }

    @Test
    void aServiceThatIsBusyIsAskedAgain() throws Exception {
        service.thenStatus(429, "0", "")
                .thenStatus(529, "", "{'type': 'error', 'error': {'type': 'overloaded_error'}}")
                .thenEvents(text("Here."), finish("stop"));
        assertThat(call(openAi).text()).isEqualTo("Here.");
        assertThat(service.asked()).hasSize(3);
        service.thenStatus(429, "600", "{'error': {'code': 'rate_limit_exceeded', 'message': '%s'}}".formatted(KEY));
        var failure = failure(openAi);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofMinutes(10));
        assertThat(failure).hasMessageContaining("429 (rate_limit_exceeded)");
        assertThat(service.asked()).as("so long a pause is the caller's").hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid_request_error",
        "401, invalid_api_key",
        "404, model_not_found",
        "302, ''",
        "429, insufficient_quota"
    })
    void whatWaitingDoesNotMendIsNotTriedAgain(int status, String code) {
        service.thenStatus(status, "", "{'error': {'code': '%s', 'message': '%s'}}".formatted(code, KEY));
        var failure = failure(openAi);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure.tokens()).isNull();
        assertThat(failure).hasMessageContaining(String.valueOf(status));
        assertThat(service.asked()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no JSON", "{'choices': 7}", "{'choices': [{'delta': {}, 'finish_reason': 'stop'}]}"})
    void nonsenseIsNoTurn(String event) {
        service.thenEvents(event);
        var failure = failure(openAi);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.tokens()).isNotNull();
        assertThat(service.asked()).as("what was written is paid for").hasSize(1);
    }

    @Test
    void argumentsThatAreNoObjectComeAsTheyWereWrittenAndAreNotSentBack() throws Exception {
        service.thenEvents(tool("'id': 'a', 'function': {'name': 'look_up', 'arguments': '{q'}"), finish("stop"))
                .thenEvents(text("Seven."), finish("stop"));
        var asked = call(openAi).toolCalls();
        assertThat(asked).containsExactly(new ToolCall("a", "look_up", "{q"));
        openAi.call(request("alone", new ModelMessage.Assistant("", asked)), said::add);
        assertThat(asked().at("/messages/1/tool_calls/0/function/arguments").asString())
                .isEqualTo("{}");
    }

    @Test
    void anAnswerOfNothingSaysWhatItTook() {
        service.thenEvents(finish("stop"), "{'choices': [], 'usage': {'prompt_tokens': 40, 'completion_tokens': 8}}");
        assertThat(failure(openAi).tokens()).isEqualTo(new ModelFailure.Tokens(40, 8));
    }

    @Test
    void aConnectionThatBreaksIsTriedAgainOnlyIfNoAnswerHadBegun() throws Exception {
        service.then(exchange -> {
                    throw new IOException("cut");
                })
                .thenEvents(text("Here."), finish("stop"));
        assertThat(call(openAi).text()).isEqualTo("Here.");
        assertThat(service.asked()).hasSize(2);
        service.thenCut(text("Half an"));
        assertThat(failure(openAi).retryable()).isTrue();
        assertThat(service.asked()).hasSize(3);
        assertThat(said).containsExactly("", "Here.", "", "Half an");
    }

    @Test
    void aServiceThatFallsSilentIsNotWaitedFor() {
        // Comments keep a connection open and say nothing.
        service.thenHang().thenForEver(": keep-alive").thenSilence("{'choices': []}");
        for (int call = 1; call <= 3; call++) {
            var failure =
                    catchThrowableOfType(ModelFailure.class, () -> openAi.call(request("hasty", HELLO), said::add));
            assertThat(failure).hasMessageContaining("in time");
            assertThat(failure.retryable()).isTrue();
            assertThat(failure.tokens() != null).as("the third has begun").isEqualTo(call == 3);
            assertThat(service.asked()).hasSize(call);
        }
    }

    @Test
    void theWholeAnswerHasATimeAndASize() throws InterruptedException {
        service.thenForEver("data: " + text("la ").replace('\'', '"'));
        var request = new ModelRequest("alone", "", List.of(HELLO), List.of(), 5, Duration.ofSeconds(1));
        var late = catchThrowableOfType(ModelFailure.class, () -> openAi.call(request, said::add));
        assertThat(late).hasMessageContaining("in time");
        assertThat(said).isNotEmpty();
        assertThat(service.gone.await(10, TimeUnit.SECONDS))
                .as("the model is stopped")
                .isTrue();
        service.thenForEver("x".repeat(1 << 20));
        assertThat(failure(openAi)).hasMessageContaining("too long");
    }

    @Test
    void anInterruptStopsTheModel() throws Exception {
        service.thenForEver("data: " + text("la ").replace('\'', '"'));
        var begun = new CountDownLatch(1);
        var ended = new CompletableFuture<Throwable>();
        var thread = Thread.ofVirtual()
                .start(() -> ended.complete(catchThrowableOfType(
                        InterruptedException.class,
                        () -> openAi.call(request("alone", HELLO), part -> begun.countDown()))));
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        thread.interrupt();
        assertThat(ended.get(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(service.gone.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anotherModelStandsInForOneThatFails() throws Exception {
        service.thenStatus(401, "", "");
        other.thenEvents(text("From the second."), finish("stop"));
        var answered = anthropic.call(request("first", HELLO), said::add);
        assertThat(answered.text()).isEqualTo("From the second.");
        assertThat(answered.standIn()).isEqualTo(new StandIn("second", "small"));
        assertThat(anthropic.find("first").orElseThrow().standIns()).containsExactly(new StandIn("second", "small"));
        service.thenHang();
        other.thenEvents(text("In time."), finish("stop"));
        assertThat(anthropic.call(request("hasty", HELLO), said::add).text()).isEqualTo("In time.");
        service.thenStatus(401, "", "");
        other.thenStatus(503, "900", "");
        var failure =
                catchThrowableOfType(ModelFailure.class, () -> anthropic.call(request("big-1", HELLO), said::add));
        assertThat(failure.retryable()).as("the second may answer later").isTrue();
    }

    @Test
    void aModelWithoutAServiceIsRefused() {
        assertThat(openAi.find("first")).isPresent();
        assertThat(openAi.find("big-1")).isPresent();
        assertThat(openAi.find("unknown")).isEmpty();
        var failure = catchThrowableOfType(ModelFailure.class, () -> openAi.call(request("unknown", HELLO), said::add));
        assertThat(failure.retryable()).isFalse();
    }
}
