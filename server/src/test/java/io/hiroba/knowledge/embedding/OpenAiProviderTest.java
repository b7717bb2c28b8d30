package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.FakeEmbeddingService.Answer;
import io.hiroba.knowledge.embedding.FakeEmbeddingService.Behaviour;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.config.SecretText;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiProviderTest {

    private static final Model MODEL = new Model("openai", "text-embedding-3-small", FakeProvider.DIMENSIONS);
    private static final List<String> TEXTS = List.of("the first text", "the second text");

    private final FakeEmbeddingService service = new FakeEmbeddingService();
    private final SettableClock clock = new SettableClock(Instant.parse("2026-11-15T10:00:00Z"));
    private final OpenAiProvider provider = provider(service.url() + "/", Duration.ofSeconds(5));

    private OpenAiProvider provider(String url, Duration timeout) {
        return new OpenAiProvider(url, SecretText.of("secret-key"), MODEL, timeout, clock);
    }

    @AfterEach
    void end() {
        provider.close();
        service.close();
    }

    private ProviderException failure(EmbeddingProvider asked) {
        var failure = catchThrowableOfType(ProviderException.class, () -> asked.embed(TEXTS, Purpose.PASSAGE));
        assertThat(failure).isNotNull();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(String.valueOf(cause)).doesNotContain("secret-key", "the first text");
        }
        return failure;
    }

    private ProviderException failure(Behaviour behaviour) {
        service.behave(behaviour);
        return failure(provider);
    }

    @Test
    void noTextGoesToAServiceThatIsNotConfigured() {
        var local = new EmbeddingConfig(
                EmbeddingConfig.Kind.LOCAL,
                service.url(),
                MODEL.name(),
                MODEL.dimensions(),
                SecretText.of(""),
                100,
                1,
                Duration.ofSeconds(5),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                3,
                0,
                true);
        try (var providers = EmbeddingProviders.configured(local, clock)) {
            assertThat(failure(providers.of(MODEL)).fault()).isEqualTo(Fault.UNREACHABLE);
        }
        assertThat(service.asked).isEmpty();
    }

    @Test
    void theTokensThatTheServiceReportsAreTold() throws ProviderException {
        var told = new ArrayList<Long>();
        try (var counted = new OpenAiProvider(
                service.url(), SecretText.of("secret-key"), MODEL, Duration.ofSeconds(5), clock, told::add)) {
            counted.embed(TEXTS, Purpose.PASSAGE);
            counted.embed(TEXTS, Purpose.QUERY);
        }
        assertThat(told).containsExactly(9L, 9L);
    }

    @Test
    void vectorsComeInTheOrderOfTheTexts() throws ProviderException {
        var vectors = provider.embed(TEXTS, Purpose.PASSAGE);
        assertThat(vectors.getFirst()).containsExactly(FakeProvider.vector(TEXTS.getFirst()));
        assertThat(vectors.getLast()).containsExactly(FakeProvider.vector(TEXTS.getLast()));
        var asked = service.asked.remove();
        assertThat(asked.path()).isEqualTo("/v1/embeddings");
        assertThat(asked.authorization()).isEqualTo("Bearer secret-key");
        assertThat(asked.body().toString())
                .isEqualTo("{\"model\":\"text-embedding-3-small\",\"input\":[\"the first text\",\"the second text\"],"
                        + "\"dimensions\":64,\"encoding_format\":\"float\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "400, TEXT_REFUSED",
        "413, TEXT_REFUSED",
        "422, TEXT_REFUSED",
        "401, AUTHENTICATION_ERROR",
        "403, AUTHENTICATION_ERROR",
        "408, EMBEDDING_API_TIMEOUT",
        "504, EMBEDDING_API_TIMEOUT",
        "429, RATE_LIMIT",
        "500, SERVER_ERROR",
        "503, SERVER_ERROR",
        "404, UNREACHABLE",
        "302, UNREACHABLE"
    })
    void whatTheServiceRefusesIsToldApart(int status, Fault fault) {
        assertThat(failure(asked -> Answer.of(status)).fault()).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource({
        "7, 7000",
        "0.5, 500",
        "0, 0",
        "'Sun, 15 Nov 2026 10:01:30 GMT', 90000",
        "'Sun, 15 Nov 2026 09:00:00 GMT', 0",
        "999999999, 900000"
    })
    void theTimeToWaitIsReadInSecondsOrAsADate(String header, long millis) {
        assertThat(failure(asked -> new Answer(429, "", "Retry-After", header)).retryAfter())
                .contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-5", "99999999999999999999"})
    void aTimeToWaitThatMakesNoSenseIsNone(String header) {
        assertThat(failure(asked -> new Answer(429, "", "Retry-After", header)).retryAfter())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "[]",
                "not json",
                "{\"data\":[]}",
                "{\"data\":[null,null]}",
                "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":0,\"embedding\":[1]}]}",
                "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":7,\"embedding\":[1]}]}",
                "{\"data\":[{\"index\":0,\"embedding\":\"abc\"},{\"index\":1,\"embedding\":[1]}]}",
                "{\"data\":[{\"index\":0},{\"index\":1}]}"
            })
    void anAnswerWithoutAVectorForEachTextIsABadOne(String body) {
        assertThat(failure(asked -> new Answer(200, body)).fault()).isEqualTo(Fault.BAD_ANSWER);
    }

    @Test
    void anAnswerThatNeverEndsIsNotReadToItsEnd() {
        assertThat(failure(asked -> new Answer(200, " ".repeat(4 << 20))).fault())
                .isEqualTo(Fault.SERVER_ERROR);
    }

    @Test
    void aConnectionThatBreaksIsAFailureOfTheService() {
        assertThat(failure(asked -> new Answer(0, "")).fault()).isEqualTo(Fault.SERVER_ERROR);
    }

    @Test
    void theWholeCallHasToEndInTime() {
        var never = new CountDownLatch(1);
        service.behave(asked -> {
            never.await();
            return Answer.of(500);
        });
        try (var hurried = provider(service.url(), Duration.ofMillis(200))) {
            assertThat(failure(hurried).fault()).isEqualTo(Fault.EMBEDDING_API_TIMEOUT);
        } finally {
            never.countDown();
        }
    }

    @Test
    void whereNobodyListensTheServiceIsOutOfReach() {
        var url = service.url();
        service.close();
        try (var lonely = provider(url, Duration.ofSeconds(5));
                var nowhere = provider("http://nowhere.invalid/v1", Duration.ofSeconds(5))) {
            assertThat(failure(lonely).fault()).isEqualTo(Fault.UNREACHABLE);
            assertThat(failure(nowhere).fault()).isEqualTo(Fault.UNREACHABLE);
        }
    }
}
