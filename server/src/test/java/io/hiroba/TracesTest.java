package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.StatusRuntimeException;
import io.hiroba.contract.saga.v1.ListWorkflowsRequest;
import io.hiroba.contract.saga.v1.SagaServiceGrpc;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.TestCollector;
import io.hiroba.testkit.TestCollector.Seen;
import io.hiroba.testkit.TestHttpService;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Traces of a whole server, as a collector receives them over OTLP. */
@Tag("slow")
class TracesTest {

    private static final String CALLER = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String TRACEPARENT = "00-" + CALLER + "-00f067aa0ba902b7-01";

    private static TestCollector collector;
    private static TestHttpService shop;
    private static Square square;

    @BeforeAll
    static void start() {
        collector = TestCollector.start();
        shop = TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, 200, "{\"id\":7}"));
        square = new Square(
                "--tracing.endpoint=" + collector.endpoint(),
                "--tracing.headers=Authorization=Bearer of the collector",
                "--tracing.attributes=deployment.environment.name=test",
                "--tracing.ratio=1",
                "--webhooks.private-addresses=true",
                "--saga.services.shop=" + shop.url());
    }

    @AfterAll
    static void stop() {
        square.close();
        shop.close();
        collector.close();
    }

    private static Seen awaitSpan(Predicate<Seen> wanted) {
        return await().until(() -> collector.spans().stream().filter(wanted).findFirst(), found -> found.isPresent())
                .orElseThrow();
    }

    private static Seen awaitRequest(String requestId) {
        return awaitSpan(span -> requestId.equals(span.attributes().get("hiroba.request_id")));
    }

    private static void assertBelow(Seen span, Seen ancestor) {
        var parent = span;
        while (!parent.id().equals(ancestor.id())) {
            var id = parent.parent();
            parent = awaitSpan(each -> each.id().equals(id));
        }
        assertThat(span.trace()).isEqualTo(ancestor.trace());
    }

    @Test
    void aLikeIsOneTraceFromTheRequestToTheCard() {
        var ann = square.person("Annabel");
        var bob = square.person("Bobby");
        var post = ann.post("What nobody else may read, " + ann.email());
        var liked = bob.api().post("/api/v1/posts/" + post + "/like", "");
        assertThat(liked.status()).isEqualTo(204);

        var listed = bob.api().get("/api/v1/posts?tag=secret");
        assertThat(listed.status()).isEqualTo(200);
        awaitRequest(listed.header("X-Request-Id"));

        var request = awaitRequest(liked.header("X-Request-Id"));
        assertThat(request.name()).isEqualTo("POST /api/v1/posts/{id}/like");
        assertThat(request.trace()).isEqualTo(liked.header("X-Request-Id"));
        assertThat(request.parent()).isEmpty();
        assertThat(request.attributes()).containsEntry("http.response.status_code", "204");
        assertThat(request.service())
                .containsEntry("service.name", "hiroba")
                .containsEntry("deployment.environment.name", "test");
        var card = awaitSpan(
                span -> span.trace().equals(request.trace()) && span.name().startsWith("INSERT activity."));
        var batch = awaitSpan(span -> span.id().equals(card.parent()));
        assertThat(batch.name()).isEqualTo("events cards");
        assertBelow(card, request);
        var like = awaitSpan(
                span -> span.trace().equals(request.trace()) && span.name().startsWith("INSERT social."));
        assertBelow(like, request);

        assertThat(collector.authorizations()).containsOnly("Bearer of the collector");
        assertThat(collector.spans())
                .flatExtracting(span -> span.attributes().values())
                .noneMatch(value -> value.contains("@") || value.contains("nobody") || value.contains("secret"));
        assertThat(collector.spans())
                .extracting(Seen::name)
                .noneMatch(name -> name.contains(post) || name.contains("Annabel") || name.contains("secret"));
    }

    @Test
    void aSagaIsInTheTraceOfItsRequestWithTheCallsThatItsServiceGetsAndTheWebhookOfItsEnd() {
        var api = square.admin.api();
        assertThat(api.sendAs(
                                "application/yaml",
                                "POST",
                                "/api/v1/workflows",
                                "name: traced\nsteps:\n  - {name: reserve, service: shop, method: Stock.Reserve}\n")
                        .status())
                .isEqualTo(201);
        var hook = Map.of("url", shop.url() + "/hook", "events", List.of("saga.completed"));
        var made = api.post("/api/v1/webhooks", Json.text(hook));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        var started =
                api.with("traceparent", TRACEPARENT).post("/api/v1/sagas", "{'workflowName':'traced','payload':{}}");
        assertThat(started.status()).as(started.body()).isEqualTo(201);

        var request = awaitRequest(started.header("X-Request-Id"));
        // A stranger's trace is linked, and not gone on with.
        assertThat(request.trace()).isNotEqualTo(CALLER);
        assertThat(request.links()).containsExactly(CALLER);
        var step = awaitSpan(span -> span.name().equals("execute reserve"));
        assertBelow(step, request);
        assertThat(asked("/Stock.Reserve").header("traceparent"))
                .isEqualTo("00-%s-%s-01".formatted(step.trace(), step.id()));

        await().until(() -> shop.asked().stream().anyMatch(each -> each.path().equals("/hook")));
        var delivery = awaitSpan(span -> span.name().equals("webhook saga.completed"));
        assertBelow(delivery, request);
        assertThat(asked("/hook").header("traceparent"))
                .isEqualTo("00-%s-%s-01".formatted(delivery.trace(), delivery.id()));
    }

    private static TestHttpService.Asked asked(String path) {
        return shop.asked().stream()
                .filter(each -> each.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aProblemNamesTheTraceAndTheTraceTheProblem() {
        var refused = square.anonymous().get("/api/v1/me");
        assertThat(refused.outcome()).isEqualTo("401 accounts.not-signed-in");
        var span = awaitRequest(refused.text("requestId"));
        assertThat(span.trace()).isEqualTo(refused.text("requestId"));
        assertThat(span.attributes()).containsEntry("hiroba.problem", "accounts.not-signed-in");
        assertThat(span.failed()).isFalse();

        var named = square.anonymous().with("X-Request-Id", "my-own-request").get("/api/v1/me");
        assertThat(named.header("X-Request-Id")).isEqualTo("my-own-request");
        assertThat(awaitRequest("my-own-request").name()).isEqualTo("GET /api/v1/me");
    }

    @Test
    void aCallOverGrpcIsATrace() {
        var address = square.server.app().grpcAddress().orElseThrow();
        var channel = Grpc.newChannelBuilderForAddress(
                        address.getHost(), address.getPort(), InsecureChannelCredentials.create())
                .build();
        try {
            var stub = SagaServiceGrpc.newBlockingStub(channel);
            Assertions.assertThatThrownBy(() -> stub.listWorkflows(ListWorkflowsRequest.getDefaultInstance()))
                    .isInstanceOf(StatusRuntimeException.class);
            var span = awaitSpan(each -> each.name().endsWith("SagaService/ListWorkflows"));
            assertThat(span.attributes()).containsEntry("rpc.grpc.status_code", "16");
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void adminsSeeThatItIsOnAndWhatWasLost() {
        awaitSpan(span -> true);
        await().untilAsserted(() -> assertThat(
                        square.admin.api().get("/api/v1/system").body())
                .containsPattern("On: [1-9][0-9,]* spans exported, 0 dropped, 0 refused"));
        assertThat(square.anonymous().get("/metrics").body())
                .contains("hiroba_tracing_spans_total{outcome=\"dropped\"} 0.0");
        assertThat(collector.spans()).extracting(Seen::name).noneMatch(name -> name.contains("metrics"));
    }
}
