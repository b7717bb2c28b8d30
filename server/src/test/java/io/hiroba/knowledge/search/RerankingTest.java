package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.search.SearchConfig.RerankConfig;
import io.hiroba.platform.config.SecretText;
import io.hiroba.testkit.TestSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RerankingTest {

    private static final List<String> PASSAGES = List.of("the first passage", "the second passage");

    private final TestSearch search = new TestSearch();
    private final Caller reader = search.knowledge.person("reader");
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicReference<Reranker> model = new AtomicReference<>(RerankingTest::byLength);
    private long nanos;

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    private final AtomicReference<String> asked = new AtomicReference<>("");
    private volatile int status = 200;
    private volatile String body = "";
    private volatile CountDownLatch answering = new CountDownLatch(0);

    RerankingTest() throws IOException {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                var headers = exchange.getRequestHeaders();
                asked.set("%s %s %s"
                        .formatted(
                                exchange.getRequestURI().getPath(),
                                headers.getFirst("Authorization"),
                                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
                answering.await();
                var bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        server.start();
    }

    /** The shorter the better. */
    private static double[] byLength(String query, List<String> passages) {
        return passages.stream().mapToDouble(text -> 1 - text.length() / 1000.0).toArray();
    }

    @BeforeAll
    void fill() {
        search.note(
                reader.user(),
                true,
                "Cats",
                Place.NONE,
                IntStream.rangeClosed(1, 20)
                        .mapToObj(i -> "The cat purrs" + " again and".repeat(i) + " again.")
                        .toArray(String[]::new));
        search.note(reader.user(), true, "Zebras", Place.NONE, "Zebras have stripes" + " and stripes".repeat(30) + ".");
        search.search.rerankedBy(new Reranking(
                (query, passages) -> {
                    calls.incrementAndGet();
                    return model.get().scores(query, passages);
                },
                50,
                0.02,
                new SimpleMeterRegistry(),
                () -> nanos));
    }

    @AfterAll
    void end() {
        search.close();
        server.stop(0);
    }

    private Search.Result find(SearchMode mode) {
        return search.search.search(reader, new KnowledgeQuery("cat purrs", mode, 3, SearchFilters.NONE, null));
    }

    private static List<Integer> lengths(Search.Result result) {
        return result.hits().stream().map(hit -> hit.content().length()).toList();
    }

    @Test
    void theBestOfManyHitsAreTheModelsWithItsScores() {
        int shortest = "The cat purrs again and again.".length();
        var result = find(SearchMode.HYBRID);
        assertThat(lengths(result)).containsExactly(shortest, shortest + 10, shortest + 20);
        assertThat(result.hits().getFirst().score()).isEqualTo(1 - ("Cats\n".length() + shortest) / 1000.0);
        assertThat(result.why()).as("nothing that was asked for is missing").isNull();
        calls.set(0);
        find(SearchMode.KEYWORD);
        find(SearchMode.VECTOR);
        assertThat(calls).as("other modes are what their names say").hasValue(0);
    }

    @Test
    void theModelReadsWhatTheSearchTakesForImprobableAndItsFloorDecides() {
        var all = new KnowledgeQuery("cat purrs", SearchMode.HYBRID, 50, SearchFilters.NONE, null);
        var unanswered = KnowledgeQuery.of("cat meows");
        try {
            model.set((query, passages) -> {
                throw new ProviderException(Fault.TEXT_REFUSED, "as told");
            });
            assertThat(search.search.search(reader, all).hits())
                    .isNotEmpty()
                    .noneMatch(hit -> hit.content().contains("stripes"));
            assertThat(search.search.search(reader, unanswered).hits())
                    .as("the floor of the search")
                    .isNotEmpty();
            model.set((query, passages) -> passages.stream()
                    .mapToDouble(text -> text.contains("stripes") ? 0.9 : 0.001)
                    .toArray());
            var hits = search.search.search(reader, all).hits();
            assertThat(hits.getFirst().content()).contains("stripes");
            assertThat(hits).as("what has all words is shown").hasSize(21);
            model.set((query, passages) -> new double[passages.size()]);
            var nothing = search.search.search(reader, unanswered);
            assertThat(nothing.hits()).isEmpty();
            assertThat(String.valueOf(nothing.why())).contains("Nothing that you can read fits");
        } finally {
            model.set(RerankingTest::byLength);
        }
    }

    @Test
    void theOrderOfTheSearchStandsWhileTheModelFailsAndTheModelIsLeftAloneForLongerEachTime() {
        var byItself = search.search
                .search(reader, KnowledgeQuery.of("cat purrs"))
                .hits()
                .size();
        assertThat(byItself).isEqualTo(10);
        model.set((query, passages) -> {
            throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "as told");
        });
        calls.set(0);
        try {
            var result = find(SearchMode.HYBRID);
            assertThat(result.hits()).hasSize(3);
            assertThat(String.valueOf(result.why())).contains("did not answer in time");
            find(SearchMode.HYBRID);
            assertThat(calls).as("it is not asked again at once").hasValue(1);
            nanos += Reranking.FIRST_PAUSE.toNanos();
            find(SearchMode.HYBRID);
            nanos += Reranking.FIRST_PAUSE.toNanos();
            find(SearchMode.HYBRID);
            assertThat(calls).as("twice as long after the second failure").hasValue(2);
            nanos += Reranking.FIRST_PAUSE.toNanos();
            model.set(RerankingTest::byLength);
            assertThat(find(SearchMode.HYBRID).why()).isNull();
            model.set((query, passages) -> {
                throw new ProviderException(Fault.TEXT_REFUSED, "as told");
            });
            find(SearchMode.HYBRID);
            find(SearchMode.HYBRID);
            assertThat(calls).as("a query that is refused turns nothing off").hasValue(5);
        } finally {
            model.set(RerankingTest::byLength);
        }
    }

    private HttpReranker service(Duration timeout) {
        return new HttpReranker(new RerankConfig(
                RerankConfig.Provider.HTTP,
                "http://127.0.0.1:%d/v1/".formatted(server.getAddress().getPort()),
                "reranker-v2",
                SecretText.of("secret-key"),
                50,
                0.02,
                timeout));
    }

    private Fault fault(Duration timeout) {
        try (var service = service(timeout)) {
            var failure = catchThrowableOfType(ProviderException.class, () -> service.scores("a query", PASSAGES));
            assertThat(failure).isNotNull();
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                assertThat(String.valueOf(cause)).doesNotContain("secret-key", "a query", "passage\"");
            }
            return failure.fault();
        }
    }

    @Test
    void aServiceIsAskedAsCohereAndJinaAre() throws ProviderException {
        status = 200;
        body = """
                {"id": "7", "results": [{"index": 1, "relevance_score": 0.75, "document": {"text": "…"}},
                 {"index": 0, "relevance_score": 0.25}], "usage": {}}
                """;
        try (var service = service(Duration.ofSeconds(5))) {
            assertThat(service.scores("a query", PASSAGES)).containsExactly(0.25, 0.75);
            assertThat(asked.get())
                    .isEqualTo("/v1/rerank Bearer secret-key {\"model\":\"reranker-v2\",\"query\":\"a query\","
                            + "\"documents\":[\"the first passage\",\"the second passage\"],\"top_n\":2}");
            body = "{\"results\":[{\"index\":0,\"relevance_score\":-3.5},{\"index\":1,\"relevance_score\":4}]}";
            assertThat(service.scores("a query", PASSAGES))
                    .as("logits become probabilities")
                    .satisfies(scores -> assertThat(scores[0]).isBetween(0.02, 0.03))
                    .satisfies(scores -> assertThat(scores[1]).isBetween(0.98, 0.99));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, TEXT_REFUSED",
        "401, AUTHENTICATION_ERROR",
        "429, RATE_LIMIT",
        "500, SERVER_ERROR",
        "302, UNREACHABLE",
        "404, UNREACHABLE"
    })
    void whatTheServiceRefusesIsToldApart(int answered, Fault fault) {
        status = answered;
        body = "{\"message\": \"secret-key: a query\"}";
        assertThat(fault(Duration.ofSeconds(5))).isEqualTo(fault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "a query",
                "{\"results\":[{\"index\":0,\"relevance_score\":1}]}",
                "{\"results\":[{\"index\":0,\"relevance_score\":1},{\"index\":0,\"relevance_score\":1}]}",
                "{\"results\":[{\"index\":0,\"relevance_score\":1},{\"index\":2,\"relevance_score\":1}]}",
                "{\"results\":[{\"index\":0,\"relevance_score\":1},{\"index\":1}]}",
                "{\"results\":[{\"index\":0,\"relevance_score\":1},null]}"
            })
    void anAnswerWithoutAScoreForEachPassageIsABadOne(String answer) {
        status = 200;
        body = answer;
        assertThat(fault(Duration.ofSeconds(5))).isEqualTo(Fault.BAD_ANSWER);
    }

    @Test
    void aModelThatIsTooSlowIsNotWaitedFor() {
        answering = new CountDownLatch(1);
        try {
            assertThat(fault(Duration.ofMillis(100))).isEqualTo(Fault.EMBEDDING_API_TIMEOUT);
        } finally {
            answering.countDown();
        }
        var ready = new CountDownLatch(1);
        ToDoubleBiFunction<String, String> slow = (query, passage) -> {
            try {
                ready.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 1;
        };
        try (var local = new LocalReranker(slow, Duration.ofMillis(100))) {
            assertThat(catchThrowableOfType(ProviderException.class, () -> local.scores("a query", PASSAGES))
                            .fault())
                    .isEqualTo(Fault.EMBEDDING_API_TIMEOUT);
        } finally {
            ready.countDown();
        }
    }

    @Test
    void aModelInsideTheProgramScoresEachPair() throws ProviderException {
        try (var local =
                new LocalReranker((query, passage) -> passage.contains(query) ? 1 : 0, Duration.ofSeconds(30))) {
            assertThat(local.scores("second", PASSAGES)).containsExactly(0, 1);
        }
    }
}
