package io.hiroba.agents.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.knowledge.search.ChatConfig.ModelConfig;
import io.hiroba.knowledge.search.ChatConfig.Provider;
import io.hiroba.platform.config.SecretText;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures of calls of models: what they say, and what they take. */
class ModelFailuresTest {

    private static final String KEY = "secret-key-of-the-model";

    private final ScriptedService service = new ScriptedService();
    private final ModelClients models = new ModelClients(
            Map.of("big", config("big-1", List.of()), "first", config("first-1", List.of("big"))),
            InstantSource.system(),
            Duration.ofMillis(1));

    private ModelConfig config(String model, List<String> fallbacks) {
        return new ModelConfig(
                service.url(), Provider.OPENAI, model, SecretText.of(KEY), Duration.ofSeconds(20), 0, 0, fallbacks);
    }

    @AfterEach
    void close() {
        models.close();
        service.close();
    }

    private static ModelRequest request(String model) {
        return new ModelRequest(
                model,
                "Be brief.",
                List.of(new ModelMessage.User("How high does the tide come?")),
                List.of(),
                500,
                Duration.ofSeconds(20));
    }

    private ModelFailure failure() {
        return failure(models, request("big"));
    }

    private static ModelFailure failure(ModelClient client, ModelRequest request) {
        var failure = catchThrowableOfType(ModelFailure.class, () -> client.call(request, text -> {}));
        assertThat(failure).isNotNull();
        return failure;
    }

    @Test
    void theSentenceOfTheProviderIsToldWithoutWhatMayBeAKey() {
        service.thenStatus(
                429,
                "600",
                "{'error': {'code': 'rate_limit_exceeded', 'message': 'Too many requests of sk-12345\\n(key %s).'}}"
                        .formatted(KEY));
        var failure = failure();
        assertThat(failure.status()).isEqualTo(429);
        assertThat(failure).hasMessageEndingWith("429 (rate_limit_exceeded): Too many requests of … (key …).");
        service.thenStatus(401, "", "{'error': {'message': '%s'}}".formatted("No! ".repeat(1_000)));
        assertThat(failure().getMessage()).hasSizeLessThan(400).endsWith("…");
        service.thenStatus(400, "", "<html>");
        assertThat(failure()).hasMessageEndingWith("400");
        service.thenStatus(
                401,
                "",
                "{'error': {'message': 'No 0123456789abcdef0123456789abcdef.QRSTUVWXYZ012345, see docs.example.'}}");
        assertThat(failure()).hasMessageEndingWith("401: No …, see docs.example.");
    }

    @Test
    void anErrorInPlaceOfAnAnswerTakesNothingAndOneWithinItWhatWasReceived() {
        var error = "{'error': {'message': 'out of memory'}}";
        for (int attempt = 1; attempt <= 3; attempt++) {
            service.thenEvents(error);
        }
        var failure = failure();
        assertThat(failure).hasMessageContaining("out of memory");
        assertThat(failure.tokens()).isNull();
        assertThat(service.asked()).hasSize(3);
        service.thenEvents("{'choices': [{'delta': {'content': 'Half an answer'}}]}", error);
        var tokens = failure().tokens();
        assertThat(tokens).isNotNull();
        assertThat(tokens.in()).isBetween(10L, 40L);
        assertThat(tokens.out()).isBetween(3L, 14L);
        assertThat(service.asked()).hasSize(4);
    }

    @Test
    void aModelThatIsNotAllowedDoesNotStandInAndIsToldNothing() {
        var first = models.find("first").orElseThrow();
        assertThat(first.standIns()).hasSize(1);
        var alone = first.withStandIns(each -> !each.name().equals("big"));
        assertThat(alone.standIns()).isEmpty();
        service.thenStatus(401, "", "");
        assertThat(failure(alone, request("first")).status()).isEqualTo(401);
        assertThat(service.asked()).hasSize(1);
        service.thenStatus(401, "", "");
        service.thenStatus(400, "", "");
        assertThat(failure(first, request("first"))).isNotNull();
        assertThat(service.asked()).hasSize(3);
    }

    @Test
    void tokensAreEstimatedSafelyAndNear() {
        assertThat(TokenEstimate.of("The tide comes twice a day. ".repeat(100))).isBetween(700L, 1_000L);
        assertThat(TokenEstimate.of("潮は一日に二回満ちます。".repeat(100))).isBetween(1_200L, 1_900L);
        assertThat(TokenEstimate.of("\uD83D\uDE00".repeat(100))).isBetween(200L, 300L);
    }
}
